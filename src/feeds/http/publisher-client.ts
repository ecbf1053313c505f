import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { truncate } from '../../lib/text.ts'
import { FeedFailure } from '../connector.ts'
import { readBody } from './body.ts'
import { Refused } from './http-error.ts'
import {
  conditionalHeaders,
  parseMaxAgeMs,
  parseRetryAfterMs,
  type Validators,
  validatorsOf,
} from './http-headers.ts'
import { WEB_LIMITS, type WebLimits } from './limits.ts'
import { assertPublicHost, publicLookup, type Resolve } from './public-address.ts'
import { exchange, type Outgoing } from './request.ts'
import { type Manner, OwnOrigin } from './request-options.ts'

/** How publishers are reached. */
export interface ClientOptions {
  /** Reach into private networks too: for an operator whose publishers live there, and for tests. */
  readonly allowPrivate: boolean
  readonly limits?: Partial<WebLimits>
  /** Instead of `dns.lookup`. */
  readonly resolve?: Resolve
  /** How this publisher wants to be asked. */
  readonly manner?: Manner
  /** Where this publisher wants an access token. */
  readonly token?: TokenProvider
}

/** Has the access tokens that the feed's own origin asks for. */
export interface TokenProvider {
  /** The value of the `authorization` header. Throws if none can be had. */
  header(client: Pick<PublisherClient, 'post'>): Promise<string>
  /** This value was refused: the next one is to be another. */
  forget(header: string): void
}

/** What came back for a form. */
export interface FormResponse {
  readonly status: number
  /** At most 64 KiB. */
  readonly text: string
  readonly retryAfterMs?: number
}

/** What is asked of one file. */
export interface Question {
  readonly accept: string
  /** Of the answer before: ask only for what has changed. */
  readonly validators?: Validators | undefined
  readonly bodyBytesMax?: number
  /** Finds in the text that came with a refusal what the person should know who reads of it. */
  readonly explain?: (text: string) => string | undefined
}

/** The head of an answer, and its content to be read. */
export interface Answer {
  /** Where it came from in the end, after redirects. */
  readonly url: URL
  /** True: what was read with these validators is still so, and `body` is empty. */
  readonly notModified: boolean
  readonly headers: IncomingHttpHeaders
  readonly validators: Validators
  readonly maxAgeMs?: number
  /** The decoded content, to be read once. Throws `FeedFailure` if it cannot be read to its end. */
  readonly body: AsyncIterable<Buffer>
  /** Gives it up unread. */
  discard(): void
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
  readonly #own: OwnOrigin

  constructor(start: URL, options: ClientOptions, signal: AbortSignal) {
    this.#options = options
    this.#limits = { ...WEB_LIMITS, ...options.limits }
    this.#signal = signal
    const pool = { keepAlive: true, maxSockets: SOCKETS_MAX }
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) }
    this.#own = new OwnOrigin(start, options.manner ?? {})
  }

  /**
   * Throws `FeedFailure` unless the answer is 200, or 304 to a conditional question; with `retryAfterMs` if the publisher
   * asked for patience, and a `Refused` as its cause. An abort throws the signal's reason.
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

  /** Sends a form, and follows no redirect. Throws `FeedFailure` if no answer comes of it. */
  async post(url: URL, form: string, headers: Record<string, string>): Promise<FormResponse> {
    const sent = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    try {
      if (url.protocol === 'http:' && !this.#options.allowPrivate) throw new Error(BARE)
      const response = await this.#send(url, { method: 'POST', body: form, headers: sent })
      const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], Date.now())
      const text = await this.#beginning(response)
      return { status: response.statusCode ?? 0, text, ...(retryAfterMs !== undefined && { retryAfterMs }) }
    } catch (error) {
      throw this.#failure(url, error)
    }
  }

  /** The URL as it may be shown and stored, whoever wrote it. */
  plain(url: URL): URL {
    return this.#own.plain(url)
  }

  /** Ends all connections. */
  close(): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  async #follow(start: URL, question: Question): Promise<{ url: URL; response: IncomingMessage }> {
    let url = this.#own.plain(start)
    for (let redirects = 0; ; redirects++) {
      const response = await this.#ask(url, question)
      const status = response.statusCode ?? 0
      if (!REDIRECTS.has(status)) return { url, response: await this.#accepted(response, question) }
      response.destroy()
      if (redirects === this.#limits.redirectsMax)
        throw new Error(`redirects must be at most ${redirects}: got "more"`)
      url = this.#own.plain(parseTarget(response.headers.location, url))
    }
  }

  /** Asks once more with another token where the first is refused: it may have ended before its time. */
  async #ask(url: URL, { accept, validators = {} }: Question): Promise<IncomingMessage> {
    const headers = { accept, ...conditionalHeaders(validators) }
    const { token } = this.#options
    if (token === undefined || !this.#own.has(url)) return this.#send(url, { headers })
    const authorization = await token.header(this)
    const response = await this.#send(url, { headers: { ...headers, authorization } })
    if (response.statusCode !== 401) return response
    response.destroy()
    token.forget(authorization)
    return this.#send(url, { headers: { ...headers, authorization: await token.header(this) } })
  }

  async #send(url: URL, { headers, ...outgoing }: Outgoing & { headers: Record<string, string> }) {
    const { allowPrivate, resolve } = this.#options
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`protocol must be http or https: got "${url.protocol}"`)
    }
    if (!allowPrivate) assertPublicHost(url)
    if (!allowPrivate && this.#own.isBare(url)) throw new Error(BARE)
    const options = {
      ...outgoing,
      agent: this.#agents[url.protocol],
      headers: {
        'accept-encoding': 'gzip',
        'user-agent': USER_AGENT,
        ...headers,
        ...this.#own.headersFor(url),
      },
      signal: this.#signal,
      ...(allowPrivate ? {} : { lookup: publicLookup(resolve) }),
    }
    // Node would turn a user and password of the URL into a header, whoever wrote them there.
    return exchange(this.#own.asked(url), options, this.#limits)
  }

  async #accepted(
    response: IncomingMessage,
    { validators = {}, explain }: Question,
  ): Promise<IncomingMessage> {
    const status = response.statusCode ?? 0
    const conditional = validators.etag !== undefined || validators.lastModified !== undefined
    if (status === 200 || (status === 304 && conditional)) return response
    const words = explain === undefined ? undefined : explain(await this.#beginning(response))
    response.destroy()
    throw new Refused(status, words, parseRetryAfterMs(response.headers['retry-after'], Date.now()))
  }

  /** Of a text beside the feed, as far as it comes. */
  async #beginning(response: IncomingMessage): Promise<string> {
    const { idleMs, wholeMs } = this.#limits
    const limits = {
      ...this.#limits,
      idleMs: Math.min(idleMs, 10_000),
      wholeMs: Math.min(wholeMs, 10_000),
      bodyBytesMax: TEXT_BYTES_MAX,
    }
    const pieces: Buffer[] = []
    try {
      for await (const piece of readBody(response, limits)) pieces.push(piece)
    } catch {
      // Its beginning serves as well.
    }
    return Buffer.concat(pieces).toString()
  }

  #answer(url: URL, response: IncomingMessage, limits: WebLimits): Answer {
    const maxAgeMs = parseMaxAgeMs(response.headers['cache-control'])
    const notModified = response.statusCode === 304
    // One that waits for its turn may be cut meanwhile: whoever reads it then hears of it.
    response.on('error', () => {})
    return {
      url,
      notModified,
      headers: response.headers,
      validators: validatorsOf(response.headers),
      ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
      body: notModified ? NOTHING : this.#guarded(url, readBody(response, limits)),
      discard: () => response.destroy(),
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
    // Without a token, what cannot be read says nothing of why.
    if (cause instanceof FeedFailure) return cause
    const reason =
      cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
    const retryAfterMs = cause instanceof Refused ? cause.retryAfterMs : undefined
    const message = `Cannot read ${truncate(this.#own.plain(url).href, 500)}: ${reason}`
    return new FeedFailure(message, { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  }
}

const USER_AGENT = 'scheduling-slots (slot aggregator)'

/** Slot files that are asked for ahead may have to wait until a directory is read, which is asked for ahead as well. */
const SOCKETS_MAX = 8

const TEXT_BYTES_MAX = 65_536

const BARE = 'protocol must be https where secrets are sent: got "http:"'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const NOTHING: AsyncIterable<Buffer> = { async *[Symbol.asyncIterator]() {} }

function parseTarget(location: string | undefined, base: URL): URL {
  if (location !== undefined && URL.canParse(location, base.href)) return new URL(location, base)
  throw new Error(`location of a redirect must be a URL: got "${truncate(String(location), 200)}"`)
}
