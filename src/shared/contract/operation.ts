import type { z } from 'zod'
import type { Permission } from '../permissions.ts'

/** One operation of the dashboard API: who may call it, what it takes, and what it returns. */
export interface DashboardOperation {
  readonly access: Access
  readonly query?: z.ZodType
  /** A JSON body. */
  readonly body?: z.ZodType
  /** Absent: 204 without a body. */
  readonly response?: z.ZodType
}

/** Anyone, a signed-in user, the operator, or a member of the organization in the path whose role has the permission. */
export type Access = 'anyone' | 'session' | 'operator' | Permission

/** Operations by method and path: `GET /api/organizations/:org`. */
export type Contract = Readonly<Record<OperationName, DashboardOperation>>
export type OperationName = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`

/** The parameters in a path: `/keys/:key/rotate` has `{ key: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & PathParameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : unknown

/** What the schema gives once it has been parsed; undefined where the operation has none. */
export type Parsed<O extends DashboardOperation, Part extends 'query' | 'body' | 'response'> =
  O[Part] extends z.ZodType<infer Output> ? Output : undefined

/** What the schema accepts. */
export type Accepted<O extends DashboardOperation, Part extends 'query' | 'body'> =
  O[Part] extends z.ZodType<unknown, infer Input> ? Input : undefined
