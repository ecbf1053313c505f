import type { DashboardContract } from '../../../src/shared/contract/contract.ts'
import type { Accepted, Parsed, PathParameters } from '../../../src/shared/contract/operation.ts'
import type { ProblemDetails } from '../../../src/shared/dashboard-problem.ts'

/** What the dashboard's API refused, or that it could not be reached (`status` 0). `message` is written for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** For programs: `not-found`, or a code of better-auth such as `INVALID_PASSWORD`. */
  readonly code: string
  /** The invalid field of the form. */
  readonly field: string | undefined

  constructor(error: { status: number; code: string; message: string; field?: string | undefined }) {
    super(error.message)
    this.status = error.status
    this.code = error.code
    this.field = error.field
  }
}

/**
 * Calls an operation of the dashboard API: `call('GET /api/organizations/:org', { params: { org } })`. The contract gives its
 * parameters, body and result. Throws `ApiError`.
 */
export function call<Name extends keyof DashboardContract>(
  name: Name,
  { params, query = {}, body, signal }: CallOptions<Name>,
): Promise<Parsed<DashboardContract[Name], 'response'>> {
  const [method, template] = name.split(' ')
  const values: Readonly<Record<string, string>> = params ?? {}
  const target = template.replace('/api', '').replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key]))
  return send(method, target + search(query), { ...(method !== 'GET' && { body: body ?? {} }), signal })
}

type CallOptions<Name extends keyof DashboardContract> = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly signal?: AbortSignal | undefined
} & (unknown extends PathParameters<Name>
  ? { readonly params?: undefined }
  : { readonly params: PathParameters<Name> }) &
  (Accepted<DashboardContract[Name], 'body'> extends undefined
    ? { readonly body?: undefined }
    : { readonly body: Accepted<DashboardContract[Name], 'body'> })

/** Calls better-auth, whose endpoints are not in the contract: `api.post('/auth/sign-out')`. Throws `ApiError`. */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => send<T>('GET', path, { signal }),
  post: <T>(path: string, body: object = {}) => send<T>('POST', path, { body }),
  patch: <T>(path: string, body: object) => send<T>('PATCH', path, { body }),
  remove: <T = undefined>(path: string, body: object = {}) => send<T>('DELETE', path, { body }),
}

/** A path with its variable parts made safe: `` path`/organizations/${id}/keys` ``. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent))
}

/** A query string with its question mark, without what is undefined or empty; empty if nothing is left. */
export function search(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  if (present.length === 0) return ''
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`
}

interface Sent {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

async function send<T>(method: string, target: string, { body, signal }: Sent): Promise<T> {
  const response = await fetchOrThrow(`/api${target}`, {
    method,
    ...(signal && { signal }),
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = parseJson(await response.text())
  if (!response.ok) throw apiError(response.status, answer, Number(response.headers.get('Retry-After')))
  return answer as T
}

async function fetchOrThrow(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: "Can't reach the service. Check your connection, then try again.",
    })
  }
}

/** Undefined for a body that is empty or not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error for a response: problem details, an error of better-auth, or the page of a proxy. */
export function apiError(status: number, body: unknown, retryAfterS = 0): ApiError {
  const { code, detail, message, field } = (body ?? {}) as Partial<ProblemDetails> & { message?: string }
  return new ApiError({
    status,
    code: code ?? `http-${status}`,
    message: BETTER_AUTH_MESSAGES[code ?? ''] ?? detail ?? message ?? messageFor(status, retryAfterS),
    field,
  })
}

/** Replaces messages of better-auth that do not say what to do. */
const BETTER_AUTH_MESSAGES: Readonly<Record<string, string>> = {
  INVALID_PASSWORD: 'Incorrect password.',
  INVALID_CODE: 'That code is incorrect. Wait for the next one, then try again.',
  INVALID_BACKUP_CODE: 'That backup code is incorrect or was already used.',
  INVALID_TWO_FACTOR_COOKIE: 'Your sign-in has expired. Start again with your password.',
  INVALID_TOKEN: 'This link was already used or has expired.',
  TOKEN_EXPIRED: 'This link has expired.',
  PASSKEY_NOT_FOUND: 'This passkey is not registered with this service. Sign in another way.',
  AUTHENTICATION_FAILED: "We couldn't sign you in with that passkey. Try again, or sign in another way.",
  SESSION_NOT_FRESH: 'This requires a sign-in within the last day. Sign out, sign in again, then retry.',
}

function messageFor(status: number, retryAfterS: number): string {
  if (status === 429) return `Too many attempts. Wait ${retryAfterS || 60} seconds, then try again.`
  if (status >= 500) return 'The service is unavailable. Try again in a moment.'
  return `The request failed with status ${status}.`
}
