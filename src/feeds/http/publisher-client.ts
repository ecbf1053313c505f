import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { truncate } from '../../lib/text.ts'
import { FeedFailure } from '../connector.ts'
import { type AllowedHosts, assertAllowedHost } from './allowed-hosts.ts'
import { assertPublicHost, publicLookup, type Resolve } from './public-address.ts'
import { HTTP_LIMITS, type HttpLimits, HttpStatusError, type OutgoingRequest, sendHttpRequest } from './request.ts'
import { type FeedRequestOptions, PublisherOrigin, withoutCredentials } from './request-options.ts'
import {
  conditionalHeaders,
  decodedBody,
  freshForMs,
  parseRetryAfterMs,
  type Validators,
  validatorsOf,
} from './response.ts'

/** How to reach a publisher. */
export interface ClientOptions {
  /** Also connect to private networks: for an operator whose publishers are there, and for tests. */
  readonly allowPrivate: boolean
  /** Other hosts are refused. */
  readonly allowedHosts?: AllowedHosts
  readonly limits?: Partial<HttpLimits>
  /** Instead of `dns.lookup`. */
  readonly resolve?: Resolve
  /** The headers and parameters of requests to the feed's own origin. */
  readonly requestOptions?: FeedRequestOptions
  /** For a publisher that requires access tokens. */
  readonly token?: TokenProvider
}

/** Provides access tokens for the feed's own origin. */
export interface TokenProvider {
  /** The value of the `authorization` header. Throws if there is none. */
  header(client: Pick<PublisherClient, 'post'>): Promise<string>
  /** Drops a value that the publisher rejected. */
  forget(header: string): void
}

/** The response to a form. */
export interface FormResponse {
  readonly status: number
  /** At most 64 KiB. */
  readonly text: string
  readonly retryAfterMs?: number | undefined
}

/** The request for one file. */
export interface FileRequest {
  /** Absent: the header is not sent. */
  readonly accept?: string
  /** From the previous response: makes the request conditional. */
  readonly validators?: Validators | undefined
  readonly bodyBytesMax?: number
  /** The publisher says that the file needs no access token: `authorization` is not sent. */
  readonly withoutToken?: boolean
  /** Extracts an explanation from the body of an error response. */
  readonly explain?: (text: string) => string | undefined
}

/** The head of a response, and its body to be read. */
export interface FileResponse {
  /** The final URL, after redirects. */
  readonly url: URL
  /** True for a 304: the file has not changed since the validators, and `body` is empty. */
  readonly notModified: boolean
  readonly headers: IncomingHttpHeaders
  readonly validators: Validators
  readonly maxAgeMs?: number
  /** The decoded body, to be read once. Throws `FeedFailure` if it cannot be read to its end. */
  readonly body: AsyncIterable<Buffer>
  /** Closes the response unread. */
  discard(): void
}

/**
 * HTTP client for one publisher, who is not trusted: `HttpLimits` bounds time and space, `isPublicAddress` the addresses.
 * Keeps connections open from one file to the next until it is closed.
 */
export class PublisherClient {
  readonly #options: ClientOptions
  readonly #limits: HttpLimits
  readonly #signal: AbortSignal
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent }
  readonly #origin: PublisherOrigin

  constructor(start: URL, options: ClientOptions, signal: AbortSignal) {
    this.#options = options
    this.#limits = { ...HTTP_LIMITS, ...options.limits }
    this.#signal = signal
    const pool = { keepAlive: true, maxSockets: SOCKETS_MAX }
    this.#agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) }
    this.#origin = new PublisherOrigin(start, options.requestOptions ?? {})
  }

  /**
   * Throws `FeedFailure` unless the response is 200, or 304 to a conditional request; with `retryAfterMs` from Retry-After,
   * and an `HttpStatusError` as its cause. An abort throws the signal's reason.
   */
  async get(start: URL, question: FileRequest): Promise<FileResponse> {
    const limits = {
      ...this.#limits,
      ...(question.bodyBytesMax ? { bodyBytesMax: question.bodyBytesMax } : {}),
    }
    try {
      const { url, response } = await this.#follow(start, question)
      if (response.statusCode !== 200) response.resume()
      return this.#response(url, response, limits)
    } catch (error) {
      throw this.#failure(start, error)
    }
  }

  /**
   * Posts a form, with the headers of the source unless it has them itself, and without the parameters of the source: a token
   * endpoint is not the feed. Follows no redirect. Throws `FeedFailure` if there is no response.
   */
  async post(url: URL, form: string, own: Record<string, string>): Promise<FormResponse> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { ...this.#origin.headersFor(url), ...own, ...type }
    try {
      if (url.protocol === 'http:' && !this.#options.allowPrivate) throw new Error(PLAIN_HTTP)
      const response = await this.#send(url, { method: 'POST', body: form, headers })
      const retryAfterMs = parseRetryAfterMs(response.headers['retry-after'], Date.now())
      const text = await this.#beginning(response)
      return { status: response.statusCode ?? 0, text, retryAfterMs }
    } catch (error) {
      throw this.#failure(url, error)
    }
  }

  /** See `PublisherOrigin.plainUrl`. */
  plainUrl(url: URL): URL {
    return this.#origin.plainUrl(url)
  }

  /** Closes all connections. */
  close(): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  async #follow(start: URL, question: FileRequest): Promise<{ url: URL; response: IncomingMessage }> {
    let url = this.#origin.plainUrl(start)
    for (let redirects = 0; ; redirects++) {
      const response = await this.#request(url, question)
      const status = response.statusCode ?? 0
      if (!REDIRECTS.has(status)) return { url, response: await this.#checkStatus(response, question) }
      response.destroy()
      if (redirects === this.#limits.redirectsMax) throw new Error(`more than ${redirects} redirects`)
      url = this.#origin.plainUrl(parseTarget(response.headers.location, url))
    }
  }

  /** Repeats a request once with a new token if the first is rejected: it may have been revoked early. */
  async #request(url: URL, { accept, validators = {}, withoutToken }: FileRequest): Promise<IncomingMessage> {
    const headers = { ...(accept !== undefined && { accept }), ...conditionalHeaders(validators) }
    const { token } = this.#options
    if (withoutToken || token === undefined || !this.#origin.has(url)) return this.#get(url, headers, withoutToken)
    const authorization = await token.header(this)
    const response = await this.#get(url, { ...headers, authorization })
    if (response.statusCode !== 401) return response
    response.destroy()
    token.forget(authorization)
    return this.#get(url, { ...headers, authorization: await token.header(this) })
  }

  /** The headers of the source replace the defaults. */
  #get(url: URL, headers: Record<string, string>, withoutToken = false): Promise<IncomingMessage> {
    const replaced = { ...headers, ...this.#origin.headersFor(url, withoutToken) }
    return this.#send(this.#origin.requestUrl(url), { headers: replaced })
  }

  async #send(url: URL, { headers, ...outgoing }: OutgoingRequest & { headers: Record<string, string> }) {
    const { allowPrivate, allowedHosts, resolve } = this.#options
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Error(`the URL must use http or https: got "${url.protocol}"`)
    }
    assertAllowedHost(url, allowedHosts)
    if (!allowPrivate) assertPublicHost(url)
    if (!allowPrivate && this.#origin.exposesSecrets(url)) throw new Error(PLAIN_HTTP)
    const options = {
      ...outgoing,
      agent: this.#agents[url.protocol],
      headers: {
        'accept-encoding': 'gzip',
        'user-agent': USER_AGENT,
        ...headers,
      },
      signal: this.#signal,
      ...(allowPrivate ? {} : { lookup: publicLookup(resolve) }),
    }
    // Node would send a user and password in the URL as a header, even if the publisher wrote them there.
    return sendHttpRequest(withoutCredentials(url), options, this.#limits)
  }

  async #checkStatus(response: IncomingMessage, { validators = {}, explain }: FileRequest): Promise<IncomingMessage> {
    const status = response.statusCode ?? 0
    const conditional = validators.etag !== undefined || validators.lastModified !== undefined
    if (status === 200 || (status === 304 && conditional)) return response
    const detail = explain === undefined ? undefined : explain(await this.#beginning(response))
    response.destroy()
    throw new HttpStatusError(status, detail, parseRetryAfterMs(response.headers['retry-after'], Date.now()))
  }

  /** The beginning of an error response, as far as it arrives. */
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
      for await (const piece of decodedBody(response, limits)) pieces.push(piece)
    } catch {
      // The part received so far is good enough.
    }
    return Buffer.concat(pieces).toString()
  }

  #response(url: URL, response: IncomingMessage, limits: HttpLimits): FileResponse {
    const maxAgeMs = freshForMs(response.headers)
    const notModified = response.statusCode === 304
    // A prefetched response may fail before it is read; the read then throws.
    response.on('error', () => {})
    return {
      url,
      notModified,
      headers: response.headers,
      validators: validatorsOf(response.headers),
      ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
      body: notModified ? EMPTY : this.#withFeedFailures(url, decodedBody(response, limits)),
      discard: () => response.destroy(),
    }
  }

  async *#withFeedFailures(url: URL, body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (error) {
      throw this.#failure(url, error)
    }
  }

  #failure(url: URL, cause: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason
    // The failure to get a token already states the reason.
    if (cause instanceof FeedFailure) return cause
    const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
    const retryAfterMs = cause instanceof HttpStatusError ? cause.retryAfterMs : undefined
    const message = `Cannot read ${truncate(this.#origin.plainUrl(url).href, 500)}: ${reason}`
    return new FeedFailure(message, { cause, retryAfterMs })
  }
}

const USER_AGENT = 'scheduling-slots (slot aggregator)'

/** Prefetched Slot files may have to wait for directory files, which are prefetched as well. */
const SOCKETS_MAX = 8

const TEXT_BYTES_MAX = 65_536

const PLAIN_HTTP = 'the URL must use https because secrets are sent: got "http:"'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const EMPTY: AsyncIterable<Buffer> = { async *[Symbol.asyncIterator]() {} }

function parseTarget(location: string | undefined, base: URL): URL {
  if (location !== undefined && URL.canParse(location, base.href)) return new URL(location, base)
  throw new Error(`the Location of a redirect must be a URL: got "${truncate(String(location), 200)}"`)
}
