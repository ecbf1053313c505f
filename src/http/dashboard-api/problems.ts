/** Every way the dashboard's own API can refuse: its status, and what the body's `error` says. */
export const REFUSALS = {
  'invalid-field': { status: 400, error: 'Invalid field' },
  'session-required': { status: 401, error: 'Session required' },
  forbidden: { status: 403, error: 'Forbidden' },
  'sign-in-again': { status: 403, error: 'Sign in again' },
  'not-found': { status: 404, error: 'Not found' },
  'method-not-allowed': { status: 405, error: 'Method not allowed' },
  conflict: { status: 409, error: 'Conflict' },
  'limit-reached': { status: 409, error: 'Limit reached' },
  gone: { status: 410, error: 'Gone' },
  'too-many-attempts': { status: 429, error: 'Too many attempts' },
  'internal-error': { status: 500, error: 'Internal error' },
  'store-away': { status: 503, error: 'Not ready' },
} as const

export type RefusalKind = keyof typeof REFUSALS

/** A request that is not done as asked. The message is for people: it says what was wrong and what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  /** What in the request was wrong: a field of the body, or a parameter. */
  readonly field: string | undefined
  /** Headers that belong to the answer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: RefusalKind,
    message: string,
    { field, headers = {} }: { field?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.kind = kind
    this.field = field
    this.headers = headers
  }

  /** The answer: `{"error","message"}`, and `field` where one was wrong. */
  toResponse(): Response {
    const { status, error } = REFUSALS[this.kind]
    const body = { error, message: this.message, field: this.field }
    return Response.json(body, { status, headers: this.headers })
  }
}

/** What is answered for a thing that is not there, or that is somebody else's: the two cannot be told apart. */
export function notFound(what: string): Refusal {
  return new Refusal('not-found', `There is no such ${what}.`)
}

/** What is answered while the database cannot be asked: whoever tries again later may find it there. */
export function storeAway(): Refusal {
  const message = 'The database cannot be reached just now. Please try again in a few seconds.'
  return new Refusal('store-away', message, { headers: { 'retry-after': '5' } })
}
