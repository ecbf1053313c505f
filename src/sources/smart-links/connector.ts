import { type Connector, FeedFailure, type SecretOf, type SnapshotDraft, type Source } from '../connector.ts'
import { mannerOf } from '../web/own-origin.ts'
import { type ClientOptions, PublisherClient } from '../web/publisher-client.ts'
import { Secrets } from '../web/secrets.ts'
import { parseMemory } from './memory.ts'
import { PublicationReader } from './publication-reader.ts'

/** How publishers are reached, and what time it is. */
export interface SmartLinksOptions extends ClientOptions {
  readonly secretOf?: SecretOf
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Reads SMART Scheduling Links: a `$bulk-publish` manifest and the NDJSON files that it lists, of the 2021 vaccine
 * specification, the 2025 draft and the HL7 guide (STU1, 2026) alike.
 */
export function smartLinks(options: SmartLinksOptions): Connector {
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      if (!URL.canParse(source.url))
        throw new FeedFailure(`Cannot read ${source.slug}: url must be a URL: got "${source.url}"`)
      const secrets = new Secrets(options.secretOf ?? (() => undefined))
      try {
        return await readPublication({ source, draft, signal, secrets, options })
      } catch (fault) {
        throw secrets.redacted(fault)
      }
    },
  }
}

async function readPublication(parts: {
  source: Source
  draft: SnapshotDraft
  signal: AbortSignal
  secrets: Secrets
  options: SmartLinksOptions
}) {
  const { source, signal, secrets, options } = parts
  const manifestUrl = new URL(source.url)
  const manner = mannerOf(source.options, secrets)
  const client = new PublisherClient(manifestUrl, { ...options, manner }, signal)
  const memory = parseMemory(parts.draft.memory, source)
  try {
    const draft = secrets.areUsed ? secrets.guard(parts.draft) : parts.draft
    const reader = new PublicationReader({ source, manifestUrl, draft, client, memory, signal })
    return await reader.read((options.now ?? Date.now)())
  } finally {
    client.close()
  }
}
