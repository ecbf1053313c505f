import { isObject } from '../lib/json.ts'
import { addressOf } from './address-block.ts'

/** A request to the sign-in library, read: what guards look at and may change before the library gets it. */
export interface Exchange {
  readonly method: string
  /** Below `/api/auth`, such as `/sign-in/email`. */
  readonly path: string
  /** With its question mark; empty if there is none. */
  readonly search: string
  readonly headers: Headers
  /** Empty for GET. */
  readonly body: Readonly<Record<string, unknown>>
  /** Whom it came from. */
  readonly address: string
}

/** What stands between a request and the library: it may answer itself, change the request, or look at the answer. */
export type Guard = (exchange: Exchange, next: Next) => Promise<Response>
export type Next = (exchange: Exchange) => Promise<Response>

export const BASE_PATH = '/api/auth'

/** Undefined if there is a body that is not a JSON object. */
export async function readExchange(request: Request): Promise<Exchange | undefined> {
  const url = new URL(request.url)
  const body = await readBody(request)
  if (body === undefined) return undefined
  return {
    method: request.method,
    path: url.pathname.slice(BASE_PATH.length),
    search: url.search,
    headers: request.headers,
    body,
    address: addressOf(request.headers) ?? 'unknown',
  }
}

/** The exchange as a request again, for the library. */
export function toRequest(exchange: Exchange, origin: string): Request {
  const { method, path, search, body } = exchange
  const headers = new Headers(exchange.headers)
  headers.delete('content-length')
  const url = `${origin}${BASE_PATH}${path}${search}`
  if (method === 'GET') return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}

/** The guards in order, and at their end whoever answers. */
export function chain(guards: readonly Guard[], answer: Next): Next {
  return guards.reduceRight<Next>((next, guard) => (exchange) => guard(exchange, next), answer)
}

/** A field of the body, if it is a text. */
export function textOf(exchange: Exchange, field: string): string | undefined {
  const value = exchange.body[field]
  return typeof value === 'string' ? value : undefined
}

async function readBody(request: Request): Promise<Record<string, unknown> | undefined> {
  if (request.method === 'GET') return {}
  const text = await request.text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? { ...body } : undefined
  } catch {
    return undefined
  }
}
