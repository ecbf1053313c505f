/** What the service says was wrong; docs/errors.md has a section on each. */
export type ServiceErrorKind =
  | 'invalid-parameter'
  | 'malformed-request'
  | 'api-key-required'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'gone'
  | 'content-too-large'
  | 'uri-too-long'
  | 'headers-too-large'
  | 'internal-error'
  | 'not-ready'
  | 'too-many-exports'

/**
 * What was wrong. Beside what the service says: `network` if no answer came or it broke off, `timeout` if none came in time,
 * `unexpected-answer` if what answered does not speak as the service does, such as a proxy.
 */
export type SlotsErrorKind = ServiceErrorKind | 'network' | 'timeout' | 'unexpected-answer'

/** What is known of a failure beside its kind. */
export interface SlotsErrorDetails {
  /** Of HTTP; undefined if no answer came. */
  readonly status?: number
  /** Which parameter was wrong, for `invalid-parameter`. */
  readonly parameter?: string
  /** Names the request: to be quoted when asking about it. */
  readonly requestId?: string
  /** In how many milliseconds the service wants to be asked again. */
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** A request that came to nothing. Never holds the key. */
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
  'Not found': 'not-found',
  'Method not allowed': 'method-not-allowed',
  'Not acceptable': 'not-acceptable',
  'Request timeout': 'request-timeout',
  Gone: 'gone',
  'Content too large': 'content-too-large',
  'URI too long': 'uri-too-long',
  'Request headers too large': 'headers-too-large',
  'Internal error': 'internal-error',
  'Not ready': 'not-ready',
  'Too many exports': 'too-many-exports',
}

/** The error that an answer tells of; `nowMs` is what a date in `Retry-After` is counted from. */
export function errorOf({ status, headers }: Response, text: string, nowMs: number): SlotsError {
  const { error, message, parameter } = saidIn(text)
  const kind = Object.hasOwn(KINDS, String(error)) ? KINDS[String(error)] : undefined
  const requestId = headers.get('x-request-id')
  const retryAfterMs = retryAfterOf(headers.get('retry-after'), nowMs)
  const foreign = `Cannot use the answer: it must be the service's: got status ${status}`
  return new SlotsError(kind ?? 'unexpected-answer', kind === undefined ? foreign : String(message), {
    status,
    ...(typeof parameter === 'string' && { parameter }),
    ...(requestId !== null && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** `{"error","message","parameter"}`, or nothing. */
function saidIn(text: string): { error?: unknown; message?: unknown; parameter?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** In milliseconds. Both forms of RFC 9110, 10.2.3; undefined for anything else. */
function retryAfterOf(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const untilMs = Date.parse(value)
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs)
}
