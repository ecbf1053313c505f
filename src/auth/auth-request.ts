import { isObject } from '../lib/json.ts'
import { defined } from '../lib/optional.ts'
import type { AuditOrigin } from '../store/contracts/audit.ts'

/** A parsed request to better-auth. Guards inspect it and may change it. */
export interface AuthRequest {
  readonly method: string
  /** Below `/api/auth`, such as `/sign-in/email`. */
  readonly path: string
  /** Includes the question mark; empty without a query. Only of GET: guards of other methods inspect the body. */
  readonly search: string
  readonly headers: Headers
  /** Empty for GET. */
  readonly body: Readonly<Record<string, unknown>>
  /** The client's network address. */
  readonly address: string
  /** As in the log of the service. */
  readonly requestId?: string
}

export const BASE_PATH = '/api/auth'

/** The header with the client's address, set by the dashboard thread. A value that a client sends is removed before. */
export const ADDRESS_HEADER = 'x-slots-client-address'

/** The header with the ID of the request, set like `ADDRESS_HEADER`. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Where a request comes from, as audit logs record it. */
export function requestOrigin(headers: Headers): AuditOrigin {
  return defined({ address: addressOf(headers), requestId: headers.get(REQUEST_ID_HEADER) ?? undefined })
}

/** The client's network address. */
export function addressOf(headers: Headers): string | undefined {
  return headers.get(ADDRESS_HEADER) ?? undefined
}

/** Undefined if the body is not a JSON object. */
export async function readAuthRequest(request: Request): Promise<AuthRequest | undefined> {
  const url = new URL(request.url)
  const body = await readBody(request)
  if (body === undefined) return undefined
  return {
    method: request.method,
    path: url.pathname.slice(BASE_PATH.length),
    search: request.method === 'GET' ? url.search : '',
    headers: request.headers,
    body,
    ...requestOrigin(request.headers),
    address: addressOf(request.headers) ?? 'unknown',
  }
}

export function toBetterAuthRequest(request: AuthRequest, origin: string): Request {
  const { method, path, search, body } = request
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const url = `${origin}${BASE_PATH}${path}${search}`
  if (method === 'GET') return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}

/** A field of the body if it is a string. */
export function textOf(request: AuthRequest, field: string): string | undefined {
  const value = request.body[field]
  return typeof value === 'string' ? value : undefined
}

/** Percent-decoded text; unchanged if its encoding is invalid. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function readBody(request: Request): Promise<Record<string, unknown> | undefined> {
  if (request.method === 'GET') return {}
  const text = await request.text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    // Throws if the body is nested too deeply to be serialized again for better-auth.
    JSON.stringify(body)
    return isObject(body) ? { ...body } : undefined
  } catch {
    return undefined
  }
}
