import { backOffMs, pause } from './back-off.ts'
import { Deadline } from './deadline.ts'
import { type Query, searchOf } from './query.ts'
import { errorOf, SlotsError } from './slots-error.ts'

/** The part of `fetch` that the client uses, which all runtimes implement. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of a client. */
export interface SlotsClientOptions {
  /** The base URL of the service: `https://slots.example.org`. A path before `/v1` is kept. */
  readonly url: string | URL
  /** The API key, sent as `Authorization: Bearer`. */
  readonly apiKey: string
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Timeout of one attempt, or of silence during an export. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined
  /** Maximum number of retries after transient errors. Default: 4. */
  readonly retries?: number | undefined
  /** Time after which a request is not retried. Default: 60 seconds. */
  readonly retryForMs?: number | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A path below `/v1/scheduling`, and its parameters. */
export interface ApiRequest extends CallOptions {
  /** GET by default. A POST is repeated only after 429, since it may have taken effect. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: object
  readonly path: string
  readonly query: object
  readonly accept?: string
  /** The status of the response; by default any that is successful. */
  readonly status?: number
}

/** Reads a response. A reader that continues after it resolves must end the deadline. */
type Read<T> = (response: Response, deadline: Deadline) => Promise<T>

/** Sends requests with a deadline and retries. */
export class Transport {
  readonly #base: string
  readonly #apiKey: string
  readonly #fetch: Fetch
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #retryForMs: number

  /** Throws a `TypeError` for invalid options, without the API key in its message. */
  constructor(options: SlotsClientOptions) {
    this.#base = baseOf(String(options.url))
    // `fetch` would include the key in its error.
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) throw new TypeError('Invalid apiKey: use a key from the dashboard')
    this.#apiKey = options.apiKey
    // Some runtimes reject a receiver other than globalThis.
    const custom = options.fetch
    this.#fetch = custom ? (...args) => custom(...args) : (...args) => fetch(...args)
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#retries = options.retries ?? 4
    this.#retryForMs = options.retryForMs ?? 60_000
  }

  /** A JSON response and its headers. Rejects with a `SlotsError` or with the signal's reason. */
  json<Body>(request: ApiRequest): Promise<{ body: Body; headers: Headers }> {
    return this.get(request, async (response, deadline) => {
      const text = await response.text()
      deadline.end()
      return { body: (response.status === 204 ? undefined : parse(text, response)) as Body, headers: response.headers }
    })
  }

  /** The target of a redirect, which is not followed. Rejects like `json()`. */
  location(request: ApiRequest): Promise<string> {
    return this.get({ ...request, status: 302 }, async (response, deadline) => {
      deadline.end()
      return response.headers.get('location') ?? ''
    })
  }

  /** The result of `read` for a successful response. Errors of `read` count as network errors and are retried. */
  async get<T>(request: ApiRequest, read: Read<T>): Promise<T> {
    const lastMs = Date.now() + this.#retryForMs
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(request, read)
      } catch (error) {
        const isSafe = error instanceof SlotsError && (request.method !== 'POST' || error.status === 429)
        const waitMs = isSafe ? backOffMs(error, attempt, Math.random()) : undefined
        if (waitMs === undefined || attempt >= this.#retries || Date.now() + waitMs > lastMs) throw error
        await pause(waitMs, request.signal)
      }
    }
  }

  async #attempt<T>(request: ApiRequest, read: Read<T>): Promise<T> {
    const { method = 'GET', path, query, body, accept = 'application/json', status, signal } = request
    // Outside of `try`: what cannot be sent is no failure of the network.
    const search = searchOf(query as Query)
    const text = body && JSON.stringify(body)
    const deadline = new Deadline(this.#timeoutMs, signal)
    try {
      deadline.signal.throwIfAborted()
      const response = await this.#fetch(`${this.#base}${path}${search && `?${search}`}`, {
        method,
        headers: {
          accept,
          authorization: `Bearer ${this.#apiKey}`,
          ...(text && { 'content-type': 'application/json' }),
        },
        ...(text && { body: text }),
        signal: deadline.signal,
        // A redirect would send the key to another address.
        redirect: 'manual',
      })
      const isExpected = status === undefined ? response.ok : response.status === status
      if (!isExpected) throw errorOf(response, await response.text(), Date.now())
      return await read(response, deadline)
    } catch (error) {
      const reason = deadline.reasonFor(error)
      deadline.abandon()
      throw reason
    }
  }
}

/** Parses the body of a response. Throws a `SlotsError`. */
export function parse(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const requestId = headers.get('x-request-id')
    throw new SlotsError('unexpected-answer', 'Cannot read the response: it is not JSON', {
      status,
      cause,
      ...(requestId !== null && { requestId }),
    })
  }
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new TypeError('Invalid url: use an http or https URL without credentials')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/v1/scheduling`
}
