import type { Connector } from '../connector.ts'
import { AccessToken, type HeldToken } from '../http/access-token.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import { parseMemory } from './connector-state.ts'
import { ServerClient, type Wait } from './server-client.ts'
import { ServerReader } from './server-reader.ts'

/** How servers are reached, and what time it is. */
export interface FhirSearchOptions extends PublisherOptions {
  /** Instead of a timer, where a server asks for patience. */
  readonly wait?: Wait
}

/**
 * Reads the Slots of a FHIR server (R4, R4B, leniently STU3) by search, with their Schedules and those these are for. Holds
 * access tokens from one sync to the next.
 */
export function fhirSearch(options: FhirSearchOptions): Connector {
  const { now = Date.now } = options
  const held = new Map<string, HeldToken>()
  return publisherConnector(options, {
    read({ source, draft, client: web, signal, nowMs }) {
      const client = new ServerClient(web, signal, options.wait)
      const memory = parseMemory(draft.memory, source)
      return new ServerReader({ source, draft, client, memory }).read(nowMs)
    },
    tokenOf({ slug, url, options: asked }, secrets) {
      const { authorization } = asked
      if (authorization === undefined) return undefined
      const name = `${slug} ${url} ${JSON.stringify(asked)}`
      // A source that was edited is known by one manner alone.
      for (const other of held.keys()) if (other !== name && other.startsWith(`${slug} `)) held.delete(other)
      return new AccessToken({ authorization, secrets, held, name, now })
    },
  })
}
