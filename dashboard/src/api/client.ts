import type { AUDIT_CONTRACT } from '../../../src/shared/contract/audit.ts'
import type { Accepted, Parsed, PathParameters } from '../../../src/shared/contract/contract.ts'
import type { EXPLORE_CONTRACT } from '../../../src/shared/contract/explore.ts'
import type { FEED_CHECK_CONTRACT } from '../../../src/shared/contract/feed-checks.ts'
import type { IMPORT_CONTRACT } from '../../../src/shared/contract/imports.ts'
import type { INVITATION_CONTRACT } from '../../../src/shared/contract/invitations.ts'
import type { KEY_CONTRACT } from '../../../src/shared/contract/keys.ts'
import type { LIMITS_CONTRACT } from '../../../src/shared/contract/limits.ts'
import type { LOG_CONTRACT } from '../../../src/shared/contract/logs.ts'
import type { ME_CONTRACT } from '../../../src/shared/contract/me.ts'
import type { OPERATED_ACCOUNT_CONTRACT } from '../../../src/shared/contract/operated-accounts.ts'
import type { OPERATED_ORGANIZATION_CONTRACT } from '../../../src/shared/contract/operated-organizations.ts'
import type { OPERATOR_CONTRACT } from '../../../src/shared/contract/operator.ts'
import type { ORGANIZATION_CONTRACT } from '../../../src/shared/contract/organizations.ts'
import type { SOURCE_LIST_CONTRACT } from '../../../src/shared/contract/source-lists.ts'
import type { SOURCE_CONTRACT } from '../../../src/shared/contract/sources.ts'
import type { SUBSCRIPTION_CONTRACT } from '../../../src/shared/contract/subscriptions.ts'
import type { USAGE_CONTRACT } from '../../../src/shared/contract/usage.ts'
import type { ProblemDetails } from '../../../src/shared/dashboard-problem.ts'
import { withConfirmation } from './confirmation.ts'
import { setClock } from './now.ts'

/** An error response of the dashboard API, or status 0 if it cannot be reached. The message is written for people. */
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

/** Every operation of the dashboard API, except those of better-auth. */
type DashboardContract = typeof ME_CONTRACT &
  typeof LIMITS_CONTRACT &
  typeof ORGANIZATION_CONTRACT &
  typeof INVITATION_CONTRACT &
  typeof KEY_CONTRACT &
  typeof SUBSCRIPTION_CONTRACT &
  typeof USAGE_CONTRACT &
  typeof LOG_CONTRACT &
  typeof AUDIT_CONTRACT &
  typeof EXPLORE_CONTRACT &
  typeof SOURCE_CONTRACT &
  typeof SOURCE_LIST_CONTRACT &
  typeof IMPORT_CONTRACT &
  typeof FEED_CHECK_CONTRACT &
  typeof OPERATED_ORGANIZATION_CONTRACT &
  typeof OPERATED_ACCOUNT_CONTRACT &
  typeof OPERATOR_CONTRACT

/**
 * Calls an operation of the dashboard API: `call('GET /api/organizations/:org', { params: { org } })`. The contract gives its
 * parameters, body and result. Throws `ApiError`.
 */
export function call<Name extends keyof DashboardContract>(
  name: Name,
  options: CallOptions<Name>,
): Promise<Parsed<DashboardContract[Name], 'response'>> {
  const [method] = name.split(' ')
  const { body = {}, signal }: SendOptions = options as SendOptions
  return withConfirmation(() =>
    sendApiRequest(method, operationUrl(name, options), { ...(method !== 'GET' && { body }), signal }),
  )
}

/** The URL of an operation, with its parameters escaped and without empty query parameters. */
export function operationUrl<Name extends keyof DashboardContract>(
  name: Name,
  { params, query }: UrlOptions<Name>,
): string {
  const [, template] = name.split(' ')
  const values: Readonly<Record<string, string>> = params ?? {}
  return template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key])) + formatSearch(query ?? {})
}

type CallOptions<Name extends keyof DashboardContract> = UrlOptions<Name> & {
  readonly signal?: AbortSignal | undefined
} & (Accepted<DashboardContract[Name], 'body'> extends undefined
    ? { readonly body?: undefined }
    : { readonly body: Accepted<DashboardContract[Name], 'body'> })

/** The path and query parameters of an operation. */
export type UrlOptions<Name extends keyof DashboardContract> = {
  readonly query?: QueryOf<Accepted<DashboardContract[Name], 'query'>>
} & (unknown extends PathParameters<Name> ? { readonly params?: undefined } : { readonly params: PathParameters<Name> })

/** Operations without a query schema take the parameters of `/v1`. */
type QueryOf<Input> = Input extends undefined ? QueryValues : { readonly [Key in keyof Input]?: QueryValues[string] }
type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** A query string with its question mark, without what is undefined or empty; empty if nothing is left. */
export function formatSearch(values: QueryValues): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  if (present.length === 0) return ''
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`
}

interface SendOptions {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** Sends a JSON request and returns the parsed response. For `call()` and `callAuth()`, which know its type. */
export async function sendApiRequest<T>(method: string, url: string, { body, signal }: SendOptions): Promise<T> {
  const response = await fetchOrThrow(url, {
    method,
    ...(signal && { signal }),
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  setClock(response)
  const result = parseJson(await response.text())
  if (!response.ok) throw apiError(response.status, result, Number(response.headers.get('Retry-After')))
  return result as T
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
}

function messageFor(status: number, retryAfterS: number): string {
  if (status === 429) {
    const waitS = retryAfterS || 60
    return `Too many attempts. Wait ${waitS} ${waitS === 1 ? 'second' : 'seconds'}, then try again.`
  }
  if (status >= 500) return 'The service is unavailable. Try again in a moment.'
  return `The request failed with status ${status}.`
}
