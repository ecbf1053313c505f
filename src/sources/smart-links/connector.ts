import { type Connector, FeedFailure } from '../connector.ts'
import { type ClientOptions, PublisherClient } from '../web/publisher-client.ts'
import { parseMemory } from './memory.ts'
import { PublicationReader } from './publication-reader.ts'

/** How publishers are reached, and what time it is. */
export interface SmartLinksOptions extends ClientOptions {
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
      const manifestUrl = new URL(source.url)
      const client = new PublisherClient(manifestUrl, options, signal)
      const memory = parseMemory(draft.memory, source)
      try {
        const reader = new PublicationReader({ source, manifestUrl, draft, client, memory, signal })
        return await reader.read((options.now ?? Date.now)())
      } finally {
        client.close()
      }
    },
  }
}
