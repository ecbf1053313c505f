import { backOffMs, pause } from './back-off.ts'
import { Deadline } from './deadline.ts'
import { type Query, searchOf } from './query.ts'
import { errorOf, SlotsError } from './slots-error.ts'

/** As much of `fetch` as is needed, so that any runtime's own fits, and what stands for it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Where the service is, and how patiently it is asked. */
export interface SlotsClientOptions {
  /** Of the service: `https://slots.example.org`. A path in front of `/v1` is kept. */
  readonly url: string | URL
  /** Is sent as `Authorization: Bearer`, and nowhere else. */
  readonly apiKey: string
  /** In the place of the runtime's own. */
  readonly fetch?: Fetch | undefined
  /** How long one attempt may take, or an export send nothing; 30 seconds if you do not say. */
  readonly timeoutMs?: number | undefined
  /** How often at most a request that failed in passing is made again; 4 times if you do not say, 0 for never. */
  readonly retries?: number | undefined
  /** How long after its beginning a request may be made again at the latest; 60 seconds if you do not say. */
  readonly retryForMs?: number | undefined
}

/** What belongs to one call. */
export interface CallOptions {
  /** Ends it at any moment; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A GET: a path below `/v1/scheduling`, and its parameters. */
export interface Asked extends CallOptions {
  readonly path: string
  readonly query: object
  readonly accept?: string
}

/** What makes something of an answer. Whoever reads on after that ends the deadline himself, and says so. */
type Read<T> = (response: Response, deadline: Deadline) => Promise<T>

/** Makes requests: each under a deadline, and again while that may help. */
export class Transport {
  readonly #base: string
  readonly #apiKey: string
  readonly #fetch: Fetch
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #retryForMs: number

  /** Throws a `TypeError` if the options are none; it does not repeat the key. */
  constructor(options: SlotsClientOptions) {
    this.#base = baseOf(String(options.url))
    // Checked here because `fetch` would repeat it in its error.
    if (!/^[\x21-\x7e]+$/.test(options.apiKey))
      throw new TypeError('Cannot use apiKey: it must be a key as the dashboard shows it')
    this.#apiKey = options.apiKey
    // Called without a receiver, as runtimes want it that check theirs.
    const custom = options.fetch
    this.#fetch = custom ? (...args) => custom(...args) : (...args) => fetch(...args)
    this.#timeoutMs = options.timeoutMs ?? 30_000
    this.#retries = options.retries ?? 4
    this.#retryForMs = options.retryForMs ?? 60_000
  }

  /** A JSON answer, and its headers. Rejects with a `SlotsError`, or with the signal's reason. */
  json<Body>(asked: Asked): Promise<{ body: Body; headers: Headers }> {
    return this.get(asked, async (response, deadline) => {
      const text = await response.text()
      deadline.end()
      return { body: parse(text, response) as Body, headers: response.headers }
    })
  }

  /** What `read` makes of a good answer. Its faults count as the network's: they are tried again. */
  async get<T>(asked: Asked, read: Read<T>): Promise<T> {
    const lastMs = Date.now() + this.#retryForMs
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(asked, read)
      } catch (fault) {
        const waitMs = fault instanceof SlotsError ? backOffMs(fault, attempt, Math.random()) : undefined
        if (waitMs === undefined || attempt >= this.#retries || Date.now() + waitMs > lastMs) throw fault
        await pause(waitMs, asked.signal)
      }
    }
  }

  async #attempt<T>({ path, query, accept = 'application/json', signal }: Asked, read: Read<T>): Promise<T> {
    const deadline = new Deadline(this.#timeoutMs, signal)
    try {
      deadline.signal.throwIfAborted()
      const search = searchOf(query as Query)
      const response = await this.#fetch(`${this.#base}${path}${search && `?${search}`}`, {
        headers: { accept, authorization: `Bearer ${this.#apiKey}` },
        signal: deadline.signal,
        // The key goes to no other address than it was given for.
        redirect: 'manual',
      })
      if (!response.ok) throw errorOf(response, await response.text(), Date.now())
      return await read(response, deadline)
    } catch (fault) {
      deadline.end()
      throw deadline.reasonFor(fault)
    }
  }
}

/** What the text of an answer says. Throws a `SlotsError`. */
export function parse(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const requestId = headers.get('x-request-id')
    throw new SlotsError('unexpected-answer', 'Cannot read the answer: it must be JSON', {
      status,
      cause,
      ...(requestId !== null && { requestId }),
    })
  }
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new TypeError('Cannot use url: it must be an http or https URL without a password')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/v1/scheduling`
}
