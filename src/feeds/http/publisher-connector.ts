import {
  type Connector,
  FeedFailure,
  type Publication,
  type SecretOf,
  type SnapshotDraft,
  type Source,
} from '../connector.ts'
import { type ClientOptions, PublisherClient, type TokenProvider } from './publisher-client.ts'
import { mannerOf } from './request-options.ts'
import { Secrets } from './secrets.ts'

/** How publishers are reached, and what time it is. */
export interface PublisherOptions extends ClientOptions {
  readonly secretOf?: SecretOf
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** One reading of a source that is fetched: what is told to the draft bears no secrets. */
export interface PublisherReading {
  readonly source: Source
  /** Where the feed starts. */
  readonly url: URL
  readonly draft: SnapshotDraft
  readonly client: PublisherClient
  readonly signal: AbortSignal
  readonly nowMs: number
}

/** What a format adds to asking a publisher. */
export interface PublisherFormat {
  read(reading: PublisherReading): Promise<Publication>
  /** Undefined for a source that needs none. */
  tokenOf?(source: Source, secrets: Secrets): TokenProvider | undefined
}

/** A connector of a format that is fetched: asks each publisher as its source says, and keeps secrets out of what is told. */
export function publisherConnector(options: PublisherOptions, format: PublisherFormat): Connector {
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      if (!URL.canParse(source.url))
        throw new FeedFailure(`Cannot read ${source.slug}: url must be a URL: got "${source.url}"`)
      const secrets = new Secrets(options.secretOf ?? (() => undefined))
      try {
        return await readPublisher({ source, draft, signal, secrets, options, format })
      } catch (fault) {
        throw secrets.redacted(fault)
      }
    },
  }
}

interface Asked {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  readonly secrets: Secrets
  readonly options: PublisherOptions
  readonly format: PublisherFormat
}

async function readPublisher({ secrets, options, format, ...asked }: Asked): Promise<Publication> {
  const { source, signal } = asked
  const url = new URL(source.url)
  const manner = mannerOf(source.options, secrets)
  const token = format.tokenOf?.(source, secrets)
  const client = new PublisherClient(url, { ...options, manner, ...(token && { token }) }, signal)
  try {
    // Where nothing is secret, each slot is spared the way through the guard.
    const isGuarded = secrets.areUsed || token !== undefined
    const draft = isGuarded ? secrets.guard(asked.draft) : asked.draft
    return await format.read({ source, url, draft, client, signal, nowMs: (options.now ?? Date.now)() })
  } finally {
    client.close()
  }
}
