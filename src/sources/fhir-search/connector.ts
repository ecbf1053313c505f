import {
  type Connector,
  FeedFailure,
  type Publication,
  type SecretOf,
  type SnapshotDraft,
  type Source,
} from '../connector.ts'
import { mannerOf } from '../web/own-origin.ts'
import { type ClientOptions, PublisherClient } from '../web/publisher-client.ts'
import { Secrets } from '../web/secrets.ts'
import { AccessToken, type HeldToken } from './access-token.ts'
import { parseMemory } from './memory.ts'
import { ServerClient, type Wait } from './server-client.ts'
import { ServerReader } from './server-reader.ts'

/** How servers are reached, and what time it is. */
export interface FhirSearchOptions extends ClientOptions {
  readonly secretOf?: SecretOf
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Instead of a timer, where a server asks for patience. */
  readonly wait?: Wait
}

/**
 * Reads the Slots of a FHIR server (R4, R4B, leniently STU3) by search, with their Schedules and those these are for. Holds
 * access tokens from one sync to the next.
 */
export function fhirSearch(options: FhirSearchOptions): Connector {
  const held = new Map<string, HeldToken>()
  return {
    async read(source, draft, signal) {
      signal.throwIfAborted()
      if (!URL.canParse(source.url))
        throw new FeedFailure(`Cannot read ${source.slug}: url must be a URL: got "${source.url}"`)
      const secrets = new Secrets(options.secretOf ?? (() => undefined))
      try {
        return await searchServer({ source, draft, signal, secrets, options, held })
      } catch (fault) {
        throw secrets.redacted(fault)
      }
    },
  }
}

interface Search {
  readonly source: Source
  readonly draft: SnapshotDraft
  readonly signal: AbortSignal
  readonly secrets: Secrets
  readonly options: FhirSearchOptions
  readonly held: Map<string, HeldToken>
}

async function searchServer(search: Search): Promise<Publication> {
  const { source, signal, secrets, options } = search
  const now = options.now ?? Date.now
  const manner = mannerOf(source.options, secrets)
  const token = tokenOf(search, now)
  const clientOptions = { ...options, manner, ...(token !== undefined && { token }) }
  const web = new PublisherClient(new URL(source.url), clientOptions, signal)
  try {
    const draft = secrets.guard(search.draft)
    const client = new ServerClient(web, signal, options.wait)
    const memory = parseMemory(draft.memory, source)
    return await new ServerReader({ source, draft, client, memory }).read(now())
  } finally {
    web.close()
  }
}

function tokenOf({ source, secrets, held }: Search, now: () => number): AccessToken | undefined {
  const { authorization } = source.options
  if (authorization === undefined) return undefined
  const { slug, url, options } = source
  const name = `${slug} ${url} ${JSON.stringify(options)}`
  // A source that was edited is known by one manner alone.
  for (const other of held.keys()) if (other !== name && other.startsWith(`${slug} `)) held.delete(other)
  return new AccessToken({ authorization, secrets, held, name, now })
}
