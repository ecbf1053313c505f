import type { SourceOptions } from '../source-options.ts'
import type { Secrets } from './secrets.ts'
import { withoutCredentials } from './without-credentials.ts'

/** How a publisher wants to be asked, with all secrets filled in. */
export interface Manner {
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Part of it is secret, and never goes over plain http unless private sources are allowed. */
  readonly isSecret?: boolean
}

/** The manner that a source's options ask for. Throws `FeedFailure` that names a variable of the environment which is missing. */
export function mannerOf(options: SourceOptions, secrets: Secrets): Manner {
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

/** The origin that a feed starts at: the one that gets to see what its operator gave for it, and none other does. */
export class OwnOrigin {
  readonly #origin: string
  readonly #manner: Manner
  /** Of the user and password of the first URL. */
  readonly #basic: string | undefined

  constructor(start: URL, manner: Manner) {
    this.#origin = start.origin
    this.#manner = manner
    this.#basic = basicOf(start)
  }

  has(url: URL): boolean {
    return url.origin === this.#origin
  }

  /** True for a URL that secrets would be sent to in the clear. */
  isBare(url: URL): boolean {
    return this.#manner.isSecret === true && url.protocol === 'http:' && this.has(url)
  }

  headersFor(url: URL): Record<string, string> {
    if (!this.has(url)) return {}
    return { ...(this.#basic !== undefined && { authorization: this.#basic }), ...this.#manner.headers }
  }

  /** The URL as it is sent. What it says already stands. */
  asked(url: URL): URL {
    const plain = withoutCredentials(url)
    if (!this.has(url)) return plain
    const said = new Set(plain.searchParams.keys())
    for (const [name, value] of Object.entries(this.#manner.query ?? {})) {
      // Textually, so that what the publisher wrote stays exactly as it was written.
      if (!said.has(name)) plain.search += `${plain.search === '' ? '?' : '&'}${parameter(name, value)}`
    }
    return plain
  }

  /** The URL as it is shown, remembered and followed: a publisher may have repeated in it what it was sent. */
  plain(url: URL): URL {
    const plain = withoutCredentials(url)
    const query = Object.entries(this.#manner.query ?? {})
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

function parameter(name: string, value: string): string {
  return new URLSearchParams([[name, value]]).toString()
}

function basicOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
