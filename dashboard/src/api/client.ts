/** What the dashboard's API refused, or that it could not be reached (`status` 0). `message` is written for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** One word or few, for programs: `not-found`. */
  readonly error: string
  /** Which field of the form was wrong. */
  readonly field: string | undefined

  constructor(answer: { status: number; error: string; message: string; field?: string | undefined }) {
    super(answer.message)
    this.status = answer.status
    this.error = answer.error
    this.field = answer.field
  }
}

/**
 * Calls the dashboard's API, as `src/shared/shapes.ts` has it: `api.get<Me>('/me')`. Paths are those below `/api`.
 * Answers without a body resolve to undefined. Throws `ApiError`.
 */
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
  const answer = await jsonOf(response)
  if (!response.ok) throw refusal(response, answer)
  return answer as T
}

async function fetchOrThrow(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError({
      status: 0,
      error: 'unreachable',
      message: 'The service cannot be reached. Check your connection, then try again.',
    })
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sign-in library names its errors `code`, the rest of the API `error`. */
function refusal(response: Response, answer: unknown): ApiError {
  const body = (answer ?? {}) as {
    error?: string
    code?: string
    message?: string
    field?: string
    parameter?: string
  }
  const error = body.error ?? body.code ?? `http-${response.status}`
  return new ApiError({
    status: response.status,
    error,
    message: LIBRARY_SENTENCES[error] ?? body.message ?? sentenceFor(response),
    field: body.field ?? body.parameter,
  })
}

/** What the sign-in library says in its own short words, said so that it helps. */
const LIBRARY_SENTENCES: Readonly<Record<string, string>> = {
  INVALID_PASSWORD: 'That is not your password. Try again.',
  INVALID_CODE: 'That code is not right. Wait for the next one, then try again.',
  INVALID_BACKUP_CODE: 'That is not one of your backup codes, or it was used already.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Start again with your password.',
  INVALID_TOKEN: 'This link was used already or is too old.',
  TOKEN_EXPIRED: 'This link is too old.',
  PASSKEY_NOT_FOUND: 'This service does not know that passkey. Sign in another way.',
  AUTHENTICATION_FAILED: 'That passkey did not sign you in. Try again, or sign in another way.',
  SESSION_NOT_FRESH:
    'For this you must have signed in within the last day. Sign out, sign in again, and try once more.',
}

function sentenceFor(response: Response): string {
  if (response.status === 429) {
    const seconds = Number(response.headers.get('Retry-After')) || 60
    return `That was tried too often. Please wait ${seconds} seconds, then try again.`
  }
  if (response.status >= 500) return 'The service could not answer just now. Please try again in a moment.'
  return `The service refused this (${response.status}).`
}
