import {
  type Connector,
  FeedFailure,
  type Publication,
  type SnapshotDraft,
  type Source,
  type SourceSecrets,
} from '../connector.ts'
import { type ClientOptions, PublisherClient, type TokenProvider } from './publisher-client.ts'
import { requestOptionsOf } from './request-options.ts'
import { Secrets } from './secrets.ts'

/** How to reach publishers, and the clock. */
export interface PublisherOptions extends ClientOptions {
  readonly sourceSecrets?: SourceSecrets
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** One read of a remote source. The draft removes secrets from rejections. */
interface PublisherReading {
  readonly source: Source
  /** The first URL of the feed. */
  readonly url: URL
  readonly draft: SnapshotDraft
  readonly client: PublisherClient
  readonly signal: AbortSignal
  readonly nowMs: number
}

/** The part of reading a feed that depends on its format. */
interface PublisherFormat {
  read(reading: PublisherReading): Promise<Publication>
  /** Undefined for a source without access tokens. */
  tokenOf?(source: Source, secrets: Secrets): TokenProvider | undefined
}

/** A connector of a remote format: applies the request options of each source, and keeps secrets out of errors and rejections. */
export function publisherConnector(options: PublisherOptions, format: PublisherFormat): Connector {
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      if (!/^https?:$/.test(URL.parse(source.url)?.protocol ?? ''))
        throw new FeedFailure(`Cannot read ${source.slug}: url must be an http or https URL: got "${source.url}"`)
      const secrets = new Secrets(options.sourceSecrets ?? {})
      try {
        return await readPublisher({ source, draft, signal, secrets, options, format })
      } catch (error) {
        throw secrets.redacted(error)
      }
    },
  }
}

interface PublisherRead {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  readonly secrets: Secrets
  readonly options: PublisherOptions
  readonly format: PublisherFormat
}

async function readPublisher({ secrets, options, format, ...read }: PublisherRead): Promise<Publication> {
  const { source, signal } = read
  const url = new URL(source.url)
  const requestOptions = requestOptionsOf(source.options, secrets)
  const token = format.tokenOf?.(source, secrets)
  const client = new PublisherClient(url, { ...options, requestOptions, ...(token && { token }) }, signal)
  try {
    // Without secrets the guard would only cost time for each slot.
    const isGuarded = secrets.areUsed || token !== undefined
    const draft = isGuarded ? secrets.guard(read.draft) : read.draft
    const publication = await format.read({ source, url, draft, client, signal, nowMs: (options.now ?? Date.now)() })
    const { messages } = publication
    return messages === undefined || !isGuarded
      ? publication
      : { ...publication, messages: secrets.redactedMessages(messages) }
  } finally {
    client.close()
  }
}
