import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { FeedFailure } from '../connector.ts'
import { readBody } from './body.ts'
import { exchange } from './exchange.ts'
import {
  conditionalHeaders,
  parseMaxAgeMs,
  parseRetryAfterMs,
  type Validators,
  validatorsOf,
} from './http-headers.ts'
import { WEB_LIMITS, type WebLimits } from './limits.ts'
import { assertPublicHost, publicLookup, type Resolve } from './public-address.ts'

/** How publishers are reached. */
export interface ClientOptions {
  /** Reach into private networks too: for an operator whose publishers live there, and for tests. */
  readonly allowPrivate: boolean
  readonly limits?: Partial<WebLimits>
  /** Instead of `dns.lookup`. */
  readonly resolve?: Resolve
}

/** What is asked of one file. */
export interface Question {
  readonly accept: string
  /** Of the answer before: ask only for what has changed. */
  readonly validators?: Validators | undefined
  readonly bodyBytesMax?: number
}

/** The head of an answer, and its content to be read. */
export interface Answer {
  /** Where it came from in the end, after redirects. */
  readonly url: URL
  /** True: what was read with these validators is still so, and `body` is empty. */
  readonly notModified: boolean
  readonly validators: Validators
  readonly maxAgeMs?: number
  /** The decoded content, to be read once. Throws `FeedFailure` if it cannot be read to its end. */
  readonly body: AsyncIterable<Buffer>
}

/**
 * Reads from one publisher over http and https, and trusts it in nothing: see `WebLimits` for time and space, and
 * `isPublicAddress` for where it may lead. Keeps connections from one file to the next until it is closed.
 */
export class PublisherClient {
  readonly #options: ClientOptions
  readonly #limits: WebLimits
  readonly #signal: AbortSignal
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
  /** The user and password of the first URL, which only its own origin ever gets to see. */
  readonly #credentials: { readonly origin: string; readonly header: string } | undefined

  constructor(start: URL, options: ClientOptions, signal: AbortSignal) {
    this.#options = options
    this.#limits = { ...WEB_LIMITS, ...options.limits }
    this.#signal = signal
    const pool = { keepAlive: true, maxSockets: 2 }
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) }
    this.#credentials = credentialsOf(start)
  }

  /**
   * Throws `FeedFailure` unless the answer is 200, or 304 to a conditional question; with `retryAfterMs` if the publisher
   * asked for patience. An abort throws the signal's reason.
   */
  async get(start: URL, question: Question): Promise<Answer> {
    const limits = {
      ...this.#limits,
      ...(question.bodyBytesMax ? { bodyBytesMax: question.bodyBytesMax } : {}),
    }
    try {
      const { url, response } = await this.#follow(start, question)
      if (response.statusCode !== 200) response.resume()
      return this.#answer(url, response, limits)
    } catch (error) {
      throw this.#failure(start, error)
    }
  }

  /** Ends all connections. */
  close(): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  async #follow(start: URL, question: Question): Promise<{ url: URL; response: IncomingMessage }> {
    let url = start
    for (let redirects = 0; ; redirects++) {
      const response = await this.#ask(url, question)
      const status = response.statusCode ?? 0
      if (!REDIRECTS.has(status)) return { url, response: accepted(response, question) }
      response.destroy()
      if (redirects === this.#limits.redirectsMax)
        throw new Error(`redirects must be at most ${redirects}: got "more"`)
      url = parseTarget(response.headers.location, url)
    }
  }

  async #ask(url: URL, question: Question): Promise<IncomingMessage> {
    const { allowPrivate, resolve } = this.#options
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`protocol must be http or https: got "${url.protocol}"`)
    }
    if (!allowPrivate) assertPublicHost(url)
    const options = {
      agent: this.#agents[url.protocol],
      headers: this.#headers(url, question),
      signal: this.#signal,
      ...(allowPrivate ? {} : { lookup: publicLookup(resolve) }),
    }
    // Node would turn a user and password of the URL into a header, whoever wrote them there.
    return exchange(withoutCredentials(url), options, this.#limits)
  }

  #headers(url: URL, { accept, validators = {} }: Question): Record<string, string> {
    const credentials =
      this.#credentials?.origin === url.origin ? { authorization: this.#credentials.header } : {}
    return {
      accept,
      'accept-encoding': 'gzip',
      'user-agent': USER_AGENT,
      ...conditionalHeaders(validators),
      ...credentials,
    }
  }

  #answer(url: URL, response: IncomingMessage, limits: WebLimits): Answer {
    const maxAgeMs = parseMaxAgeMs(response.headers['cache-control'])
    const notModified = response.statusCode === 304
    return {
      url,
      notModified,
      validators: validatorsOf(response.headers),
      ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
      body: notModified ? NOTHING : this.#guarded(url, readBody(response, limits)),
    }
  }

  async *#guarded(url: URL, body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (error) {
      throw this.#failure(url, error)
    }
  }

  #failure(url: URL, cause: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason
    const reason =
      cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
    const retryAfterMs = cause instanceof Refused ? cause.retryAfterMs : undefined
    const message = `Cannot read ${withoutCredentials(url).href.slice(0, 500)}: ${reason}`
    return new FeedFailure(message, { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  }
}

/** A URL as it may be shown and sent: without user and password. */
export function withoutCredentials(url: URL): URL {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain
}

const USER_AGENT = 'scheduling-slots (slot aggregator)'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const NOTHING: AsyncIterable<Buffer> = { async *[Symbol.asyncIterator]() {} }

class Refused extends Error {
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs: number | undefined) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

function accepted(response: IncomingMessage, { validators = {} }: Question): IncomingMessage {
  const status = response.statusCode ?? 0
  const conditional = validators.etag !== undefined || validators.lastModified !== undefined
  if (status === 200 || (status === 304 && conditional)) return response
  response.destroy()
  throw new Refused(
    `status must be 200: got "${status}"`,
    parseRetryAfterMs(response.headers['retry-after'], Date.now()),
  )
}

function parseTarget(location: string | undefined, base: URL): URL {
  if (location !== undefined && URL.canParse(location, base.href)) return new URL(location, base)
  throw new Error(`location of a redirect must be a URL: got "${String(location).slice(0, 200)}"`)
}

function credentialsOf(url: URL): { origin: string; header: string } | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return { origin: url.origin, header: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
