import type { Connector } from '../connector.ts'
import { AccessToken, type CachedToken } from '../http/access-token.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import { ServerClient, type Wait } from './server-client.ts'
import { parseFhirSearchState, ServerReader } from './server-reader.ts'

export interface FhirSearchOptions extends PublisherOptions {
  /** Replaces the timer that waits for `Retry-After`. */
  readonly wait?: Wait
}

/**
 * Reads the Slots of a FHIR server (R4, R4B, leniently STU3) by search, with their Schedules and the actors of these.
 * Caches access tokens between syncs.
 */
export function fhirSearch(options: FhirSearchOptions): Connector {
  const { now = Date.now } = options
  const tokens = new Map<string, CachedToken>()
  return publisherConnector(options, {
    read({ source, draft, client: web, signal, nowMs }) {
      const client = new ServerClient(web, signal, options.wait)
      const memory = parseFhirSearchState(draft.memory, source)
      return new ServerReader({ source, draft, client, memory }).read(nowMs)
    },
    tokenOf({ slug, url, options: asked }, secrets) {
      const { authorization } = asked
      if (authorization === undefined) return undefined
      const name = `${slug} ${url} ${JSON.stringify(asked)}`
      // After an edit, the token of the old options is obsolete.
      for (const other of tokens.keys()) if (other !== name && other.startsWith(`${slug} `)) tokens.delete(other)
      return new AccessToken({ authorization, secrets, cache: tokens, name, now })
    },
  })
}
