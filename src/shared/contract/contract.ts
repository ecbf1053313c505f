import { z } from 'zod'
import type { Permission } from '../permissions.ts'

/** One operation of the dashboard API: who may call it, what it takes, and what it returns. */
export interface DashboardOperation {
  readonly access: Access
  /** A privileged act: requires that the user signed in, or confirmed their identity, within `CONFIRMED_MS`. */
  readonly privileged?: true
  /** Also answers people who have yet to set up a second factor that the service or the organization requires. */
  readonly withoutSecondFactor?: true
  /** Not counted as a change: people can always revoke. */
  readonly unlimited?: true
  readonly query?: z.ZodType
  /** A JSON body. */
  readonly body?: z.ZodType
  /** Absent: 204 without a body. */
  readonly response?: z.ZodType
}

/**
 * Anyone, a signed-in user, operators, operators and viewers of the service, or a member of the organization in the path whose role
 * has the permission.
 */
export type Access = 'anyone' | 'session' | 'operator' | 'viewer' | Permission

/** Operations by method and path: `GET /api/organizations/:org`. */
export type Contract = Readonly<Record<OperationName, DashboardOperation>>
export type OperationName = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`

/** The parameters in a path: `/keys/:key/rotate` has `{ key: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & PathParameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : unknown

/** The parsed value of the schema; undefined where the operation has none. */
export type Parsed<O extends DashboardOperation, Part extends 'query' | 'body' | 'response'> =
  O[Part] extends z.ZodType<infer Output> ? Output : undefined

/** The input of the schema, before it is parsed. */
export type Accepted<O extends DashboardOperation, Part extends 'query' | 'body'> =
  O[Part] extends z.ZodType<unknown, infer Input> ? Input : undefined

/** A name or reason that a person types: trimmed, one line, with something to see. The label begins its message: `The name`. */
export function oneLine(label: string, lengthMax: number): z.ZodType<string, string> {
  const message = `${label} must be one line of 1 to ${lengthMax} characters.`
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .max(lengthMax, message)
    .refine((text) => VISIBLE.test(text) && !NOT_ON_ONE_LINE.test(text) && text.isWellFormed(), message)
}

/** Not a space of no width, a joiner or another character that shows nothing. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u

/** Control characters, line and paragraph separators, and what reorders the text behind it, such as that of an invitation email. */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** An integer as a query parameter: digits. */
export function integerParameter(label: string, min: number, max: number): z.ZodType<number, string> {
  const message = `${label} must be a whole number from ${min} to ${max}.`
  return z
    .string({ error: message })
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

const CURSOR = 'The cursor must be the "next" of a page.'

/** The parameters of a list in pages. A response that is not the last page has the cursor of the following one as `next`. */
export const PAGE = {
  limit: integerParameter('The limit', 1, 200).optional(),
  cursor: z
    .string({ error: CURSOR })
    .regex(/^\d{1,16}\.\d{1,16}\.[!-~]{1,100}$/, CURSOR)
    .transform((cursor) => {
      const [rank, atMs, ...id] = cursor.split('.')
      return { rank: Number(rank), atMs: Number(atMs), id: id.join('.') }
    })
    .refine(({ rank, atMs }) => Number.isSafeInteger(rank) && Number.isSafeInteger(atMs), CURSOR)
    .optional(),
}

/** The cursor of the following page; absent on the last one. */
export const NEXT = z.string().exactOptional()

/** The parameters of a list that is searched, with any page by its offset. */
export const SEARCHED_PAGE = {
  search: shortText('The search', 200).optional(),
  limit: integerParameter('The limit', 1, 100).optional(),
  offset: integerParameter('The offset', 0, Number.MAX_SAFE_INTEGER).optional(),
}

/** A time as a query parameter: milliseconds since 1970, up to the year 9999. */
export function timeParameter(label: string): z.ZodType<number, string> {
  return integerParameter(label, 0, Date.UTC(9999, 11, 31))
}

/** A time: milliseconds since 1970. */
export const TIME_MS = z.number()

/** A string with at most so many characters. */
export function shortText(label: string, lengthMax: number): z.ZodType<string, string> {
  const message = `${label} must be text with at most ${lengthMax} characters.`
  return z.string({ error: message }).max(lengthMax, message)
}
