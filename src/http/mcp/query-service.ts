import { isObject } from '../../lib/json.ts'
import { errorCode } from '../../lib/text.ts'

/** Sends a GET to `/v1` with a path and a query string, or a POST with a JSON body. Rejects with `QueryError`. */
export type QueryService = (path: string, search: string, body?: object) => Promise<QueryResult>

/** A response of the service with status 200 or 201. */
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
  if ((status === 200 || status === 201) && body !== undefined) return { body, header }
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

/** The cursor in the `Link` header with rel="next". */
export function nextCursorOf({ header }: QueryResult): string | undefined {
  return /[?&]cursor=([\w-]+)>; rel="next"/.exec(header('link') ?? '')?.[1]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Assistants give up after about this time. */
const TIMEOUT_MS = 15_000

interface RemoteService {
  /** Base URL without a trailing slash. */
  readonly url: string
  /** Sent to the host of `url` only. */
  readonly apiKey: string
  /** Aborts all queries. */
  readonly signal?: AbortSignal
}

/** Queries a running service. */
export function queryOverHttp({ url, apiKey, signal }: RemoteService): QueryService {
  return async (path, search, body) => {
    const target = `${url}${path}${search === '' ? '' : `?${search}`}`
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const typed = sent === undefined ? headers : { ...headers, 'content-type': 'application/json' }
    const response = await request(target, { ...sent, headers: typed, signal: signal ?? null }).catch(
      (error: unknown) => {
        throw new QueryError(`The service at ${url} cannot be reached: ${reasonOf(error)}.`)
      },
    )
    return readResult(response.status, response.text, (name) => response.headers.get(name) ?? undefined)
  }
}

/** Redirects are not followed: they could send the key to another host. */
async function request(target: string, init: RequestInit) {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]
  const response = await fetch(target, { ...init, signal: AbortSignal.any(signals), redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`
  return errorCode(error.cause) ?? 'the connection failed'
}
