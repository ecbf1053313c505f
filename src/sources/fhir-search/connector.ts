import { type Connector, FeedFailure, type SecretOf } from '../connector.ts'
import type { ClientOptions } from '../web/publisher-client.ts'

/** How servers are reached. */
export interface FhirSearchOptions extends ClientOptions {
  readonly secretOf?: SecretOf
}

/** Reads the Slots of a FHIR server by search. */
export function fhirSearch(_options: FhirSearchOptions): Connector {
  return {
    async read({ slug }) {
      throw new FeedFailure(`Cannot read ${slug}: searches are not made yet`)
    },
  }
}
