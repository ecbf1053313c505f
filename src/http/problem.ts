import { InvalidParameter } from '../slot/query-parameter.ts'

/** Every way a request can fail for the caller: its status, and what the body's `error` says. docs/errors.md has a section on each. */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, error: 'Invalid parameter' },
  'malformed-request': { status: 400, error: 'Malformed request' },
  'api-key-required': { status: 401, error: 'API key required' },
  'not-found': { status: 404, error: 'Not found' },
  'method-not-allowed': { status: 405, error: 'Method not allowed' },
  'not-acceptable': { status: 406, error: 'Not acceptable' },
  'request-timeout': { status: 408, error: 'Request timeout' },
  gone: { status: 410, error: 'Gone' },
  'content-too-large': { status: 413, error: 'Content too large' },
  'uri-too-long': { status: 414, error: 'URI too long' },
  'headers-too-large': { status: 431, error: 'Request headers too large' },
  'internal-error': { status: 500, error: 'Internal error' },
  'not-ready': { status: 503, error: 'Not ready' },
  'too-many-exports': { status: 503, error: 'Too many exports' },
} as const

export type ProblemKind = keyof typeof PROBLEMS

/** A request that cannot be answered as asked. The message is for the caller: it says what was wrong and what would be right. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  /** Headers that belong to the answer, by lower-case name. */
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

  /** What the body says. */
  get bodyParts(): { error: string; message: string; parameter: string | undefined } {
    const { error } = PROBLEMS[this.kind]
    return { error, message: this.message, parameter: this.parameter }
  }
}

/** What is told of a fault of ours: nothing. */
export function internalError(requestId: string): Problem {
  return new Problem('internal-error', `The service failed. Please report request ${requestId}.`)
}

/** What the caller is told about whatever was thrown; undefined if it is a fault of ours. */
export function problemOf(thrown: unknown): Problem | undefined {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof InvalidParameter) {
    return new Problem('invalid-parameter', thrown.message, { parameter: thrown.parameter })
  }
  return undefined
}
