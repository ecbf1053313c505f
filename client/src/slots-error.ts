/** The kinds of errors of the service; docs/errors.md documents each. */
export type ServiceErrorKind =
  | 'invalid-parameter'
  | 'malformed-request'
  | 'api-key-required'
  | 'organization-suspended'
  | 'address-not-allowed'
  | 'not-found'
  | 'no-booking-link'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'gone'
  | 'content-too-large'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'range-not-satisfiable'
  | 'too-many-requests'
  | 'too-many-streams'
  | 'too-many-subscriptions'
  | 'headers-too-large'
  | 'internal-error'
  | 'not-ready'
  | 'queue-full'
  | 'too-many-exports'

/**
 * The kinds of the service, and: `network` if the connection failed or closed early, `timeout` if no response came in time,
 * `unexpected-answer` if the response is not from the service, but from a proxy for example.
 */
export type SlotsErrorKind = ServiceErrorKind | 'network' | 'timeout' | 'unexpected-answer'

/** The details of an error. */
export interface SlotsErrorDetails {
  /** HTTP status; undefined without a response. */
  readonly status?: number
  /** The invalid parameter, for `invalid-parameter`. */
  readonly parameter?: string
  /** The id of the request. Quote it in support requests. */
  readonly requestId?: string
  /** The delay that the service asks for, in milliseconds. */
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** A failed request. Never contains the API key. */
export class SlotsError extends Error {
  override readonly name = 'SlotsError'
  readonly kind: SlotsErrorKind
  readonly status: number | undefined
  readonly parameter: string | undefined
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: SlotsErrorKind, message: string, details: SlotsErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.parameter = details.parameter
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}

const KINDS: Readonly<Record<string, ServiceErrorKind>> = {
  'Invalid parameter': 'invalid-parameter',
  'Malformed request': 'malformed-request',
  'API key required': 'api-key-required',
  'Organization suspended': 'organization-suspended',
  'Address not allowed': 'address-not-allowed',
  'Not found': 'not-found',
  'No booking link': 'no-booking-link',
  'Method not allowed': 'method-not-allowed',
  'Not acceptable': 'not-acceptable',
  'Request timeout': 'request-timeout',
  Gone: 'gone',
  'Content too large': 'content-too-large',
  'URI too long': 'uri-too-long',
  'Unsupported media type': 'unsupported-media-type',
  'Range not satisfiable': 'range-not-satisfiable',
  'Too many requests': 'too-many-requests',
  'Too many streams': 'too-many-streams',
  'Too many subscriptions': 'too-many-subscriptions',
  'Request headers too large': 'headers-too-large',
  'Internal error': 'internal-error',
  'Not ready': 'not-ready',
  'Queue full': 'queue-full',
  'Too many exports': 'too-many-exports',
}

/** The error of a response. `nowMs`: the current time, for a date in `Retry-After`. */
export function errorOf({ status, headers }: Response, text: string, nowMs: number): SlotsError {
  const { error, message, parameter } = parseBody(text)
  const kind = Object.hasOwn(KINDS, String(error)) ? KINDS[String(error)] : undefined
  const requestId = headers.get('x-request-id')
  const retryAfterMs = retryAfterOf(headers.get('retry-after'), nowMs)
  const foreign = `The response is not from the service: got status ${status}`
  return new SlotsError(kind ?? 'unexpected-answer', kind === undefined ? foreign : String(message), {
    status,
    ...(typeof parameter === 'string' && { parameter }),
    ...(requestId !== null && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** `{"error","message","parameter"}`, or empty. */
function parseBody(text: string): { error?: unknown; message?: unknown; parameter?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** In milliseconds; both formats of RFC 9110, 10.2.3. Undefined for an invalid value. */
function retryAfterOf(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const untilMs = Date.parse(value)
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs)
}
