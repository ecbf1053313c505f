import type { SourceOptions } from '../source-options.ts'
import type { Secrets } from './secrets.ts'

/** The headers and parameters of requests to the feed's own origin, with all secrets filled in. */
export interface FeedRequestOptions {
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Part of it is secret, and never goes over plain http unless private sources are allowed. */
  readonly isSecret?: boolean
}

/** The request options of a source. Throws `FeedFailure` that names a missing environment variable. */
export function requestOptionsOf(options: SourceOptions, secrets: Secrets): FeedRequestOptions {
  const filled = (values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values).map(([name, value]) => [name, secrets.fillLine(value)] as const)
  const headers = filled(options.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const query = filled(options.query)
  return {
    headers: Object.fromEntries(headers),
    query: Object.fromEntries(query),
    isSecret: secrets.areUsed || options.authorization !== undefined,
  }
}

/** The origin of a feed's first URL: the only one that receives the headers, parameters and credentials of the source. */
export class PublisherOrigin {
  readonly #origin: string
  readonly #options: FeedRequestOptions
  /** From the user and password of the first URL. */
  readonly #basic: string | undefined

  constructor(start: URL, options: FeedRequestOptions) {
    this.#origin = start.origin
    this.#options = options
    this.#basic = basicCredentials(start)
  }

  has(url: URL): boolean {
    return url.origin === this.#origin
  }

  /** True if a request for the URL would send secrets unencrypted. */
  exposesSecrets(url: URL): boolean {
    return this.#options.isSecret === true && url.protocol === 'http:' && this.has(url)
  }

  headersFor(url: URL, withoutToken = false): Record<string, string> {
    if (!this.has(url)) return {}
    if (withoutToken) {
      const { authorization: _, ...others } = this.#options.headers ?? {}
      return others
    }
    return { ...(this.#basic !== undefined && { authorization: this.#basic }), ...this.#options.headers }
  }

  /** The URL to request. Parameters that it has already take precedence. */
  requestUrl(url: URL): URL {
    const plain = withoutCredentials(url)
    if (!this.has(url)) return plain
    const present = new Set(plain.searchParams.keys())
    for (const [name, value] of Object.entries(this.#options.query ?? {})) {
      // As text, so that the publisher's own part stays exactly as it is.
      if (!present.has(name)) plain.search += `${plain.search === '' ? '?' : '&'}${parameter(name, value)}`
    }
    return plain
  }

  /** The URL to show, store and follow: without the parameters of the source, which a publisher may repeat in links. */
  plainUrl(url: URL): URL {
    const plain = withoutCredentials(url)
    const query = Object.entries(this.#options.query ?? {})
    if (query.length === 0 || plain.search === '') return plain
    const parameters = plain.search.slice(1).split('&')
    const others = parameters.filter((each) => {
      const [[name, value] = ['', '']] = new URLSearchParams(each)
      return !query.some((own) => own[0] === name && own[1] === value)
    })
    if (others.length < parameters.length) plain.search = others.join('&')
    return plain
  }
}

/** The URL without user and password. */
export function withoutCredentials(url: URL): URL {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain
}

function parameter(name: string, value: string): string {
  return new URLSearchParams([[name, value]]).toString()
}

function basicCredentials(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
