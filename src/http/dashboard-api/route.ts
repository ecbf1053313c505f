import type { HonoRequest } from 'hono'
import type { Session } from '../../auth/sign-in.ts'
import type {
  Access,
  Contract,
  DashboardOperation,
  OperationName,
  Parsed,
  PathParameters,
} from '../../shared/contract/operation.ts'
import type { MemberRole } from '../../shared/permissions.ts'
import type { AuditActor } from '../../store/contracts/audit.ts'
import type { Organization } from '../../store/contracts/organizations.ts'
import type { DashboardContext } from './context.ts'

/** A request that anyone may make. */
export interface OpenRequest {
  readonly context: DashboardContext
  readonly raw: HonoRequest
  /** The client's network address. */
  readonly address: string | undefined
}

/** A request of a signed-in user. */
export interface UserRequest extends OpenRequest {
  readonly session: Session
  /** The user as the logs name them. */
  readonly actor: AuditActor
}

/** A request about an organization that the user belongs to. */
export interface OrganizationRequest extends UserRequest {
  readonly organization: Organization
  readonly role: MemberRole
}

/** The request of an operation, with its parsed parameters and body. */
export type RequestOf<Name extends string, O extends DashboardOperation> = RequestBy<O['access']> & {
  readonly params: PathParameters<Name>
  readonly query: Parsed<O, 'query'>
  readonly body: Parsed<O, 'body'>
}

/** One handler for each operation of a contract. A `Response` is sent as it is, undefined as 204. */
export type Handlers<C extends Contract> = {
  readonly [Name in keyof C & OperationName]: Handler<RequestOf<Name, C[Name]>, C[Name]>
}

type Handler<Request, O extends DashboardOperation> = O extends { readonly response: object }
  ? (request: Request) => Promise<Parsed<O, 'response'> | Response>
  : (request: Request) => Promise<void>

/** An operation with its handler. */
export interface Route extends DashboardOperation {
  readonly method: string
  readonly path: string
  readonly handle: (request: OpenRequest & Readonly<Record<'params' | 'query' | 'body', unknown>>) => Promise<unknown>
}

/** Joins the operations of a contract and their handlers. */
export function implement<const C extends Contract>(contract: C, handlers: Handlers<C>): Route[] {
  return Object.entries<DashboardOperation>(contract).map(([name, operation]) => {
    const [method, path] = name.split(' ')
    const handle = handlers[name as keyof C & OperationName]
    return { ...operation, method, path, handle: handle as unknown as Route['handle'] }
  })
}

type RequestBy<A extends Access> = A extends 'anyone'
  ? OpenRequest
  : A extends 'session' | 'operator'
    ? UserRequest
    : OrganizationRequest
