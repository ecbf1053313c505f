import { isObject } from '../../lib/json.ts'

/** Sends a GET to `/v1` with a path and a query string. Rejects with `QueryError`. */
export type QueryService = (path: string, search: string) => Promise<QueryResult>

/** A response of the service with status 200. */
export interface QueryResult {
  readonly body: unknown
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** A query failed. The message is for the assistant: the reason and what to do. */
export class QueryError extends Error {
  override readonly name = 'QueryError'
}

/** Reads a response. Throws `QueryError` with its message if it is an error. */
export function readResult(status: number, text: string, header: QueryResult['header']): QueryResult {
  const body = parse(text)
  if (status === 200 && body !== undefined) return { body, header }
  const message = isObject(body) && typeof body.message === 'string' ? body.message : 'No reason was given.'
  throw new QueryError(`The service returned ${status}. ${message}`)
}

/** The list with a name in a response body; empty if there is none. */
export function listOf(body: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = isObject(body) ? body[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The number with a name in a response body; 0 if there is none. */
export function countOf(body: unknown, name: string): number {
  const value = isObject(body) ? body[name] : undefined
  return typeof value === 'number' ? value : 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
