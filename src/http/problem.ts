import { InvalidParameter } from '../slot/query-parameter.ts'

/** The catalog of errors of `/v1`: the status, and `error` in the body. docs/errors.md documents each. */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, error: 'Invalid parameter' },
  'malformed-request': { status: 400, error: 'Malformed request' },
  'api-key-required': { status: 401, error: 'API key required' },
  'organization-suspended': { status: 403, error: 'Organization suspended' },
  'address-not-allowed': { status: 403, error: 'Address not allowed' },
  'not-found': { status: 404, error: 'Not found' },
  'no-booking-link': { status: 404, error: 'No booking link' },
  'method-not-allowed': { status: 405, error: 'Method not allowed' },
  'not-acceptable': { status: 406, error: 'Not acceptable' },
  'request-timeout': { status: 408, error: 'Request timeout' },
  gone: { status: 410, error: 'Gone' },
  'content-too-large': { status: 413, error: 'Content too large' },
  'uri-too-long': { status: 414, error: 'URI too long' },
  'unsupported-media-type': { status: 415, error: 'Unsupported media type' },
  'range-not-satisfiable': { status: 416, error: 'Range not satisfiable' },
  'too-many-requests': { status: 429, error: 'Too many requests' },
  'too-many-streams': { status: 429, error: 'Too many streams' },
  'too-many-subscriptions': { status: 429, error: 'Too many subscriptions' },
  'headers-too-large': { status: 431, error: 'Request headers too large' },
  'internal-error': { status: 500, error: 'Internal error' },
  'not-ready': { status: 503, error: 'Not ready' },
  'queue-full': { status: 503, error: 'Queue full' },
  'too-many-exports': { status: 503, error: 'Too many exports' },
} as const

export type ProblemKind = keyof typeof PROBLEMS

/** An error that the caller can act on. The message states what was wrong and what is allowed. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  /** Headers of the response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The parameter that was wrong, for `invalid-parameter`. */
  readonly parameter: string | undefined

  constructor(
    kind: ProblemKind,
    message: string,
    { headers = {}, parameter }: { headers?: Readonly<Record<string, string>>; parameter?: string } = {},
  ) {
    super(message)
    this.kind = kind
    this.headers = headers
    this.parameter = parameter
  }

  get status(): number {
    return PROBLEMS[this.kind].status
  }

  /** The body: `{"error","message"}`, and `parameter` where one was wrong. */
  get body(): string {
    return JSON.stringify(this.bodyParts)
  }

  /** The body as an object. */
  get bodyParts(): { error: string; message: string; parameter: string | undefined } {
    const { error } = PROBLEMS[this.kind]
    return { error, message: this.message, parameter: this.parameter }
  }
}

/** The response to an unexpected error, without details. */
export function internalError(requestId: string): Problem {
  return new Problem('internal-error', `The service failed. Please report request ${requestId}.`)
}

/** A part of the service cannot be used for some seconds. `what` comes with its verb: `Updates are`. */
export function temporarilyUnavailable(what: string): Problem {
  const message = `${what} temporarily unavailable. Please try again in a few seconds.`
  return new Problem('not-ready', message, { headers: { 'retry-after': '5' } })
}

/** The method is not supported at this path; `Allow` lists those that are. */
export function methodNotAllowed(path: string, method = '', allow = 'GET, HEAD, OPTIONS'): Problem {
  const message = `${path.slice(0, 100)} answers ${allow}: got ${method}.`
  return new Problem('method-not-allowed', message, { headers: { allow } })
}

/** The problem that an error is for the caller; undefined if the error is unexpected. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof InvalidParameter)
    return new Problem('invalid-parameter', error.message, { parameter: error.parameter })
  return undefined
}
