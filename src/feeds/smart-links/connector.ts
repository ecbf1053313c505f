import type { Connector } from '../connector.ts'
import { type PublisherOptions, publisherConnector } from '../http/publisher-connector.ts'
import { BulkPublishReader } from './bulk-reader.ts'
import { parseBulkState } from './bulk-state.ts'
import { parseSmartLinksState } from './connector-state.ts'
import { PublicationReader } from './publication-reader.ts'

/**
 * Reads SMART Scheduling Links: a `$bulk-publish` manifest and the NDJSON files that it lists, of the 2021 vaccine
 * specification, the 2025 draft and the HL7 guide (STU1, 2026) alike.
 */
export function smartLinks(options: PublisherOptions): Connector {
  return publisherConnector(options, {
    read({ url: manifestUrl, ...reading }) {
      const bulk = new BulkPublishReader({ ...reading, manifestUrl })
      const lastBulkState = parseBulkState(reading.draft.state, reading.source)
      if (lastBulkState !== undefined) return bulk.poll(lastBulkState)
      const lastState = parseSmartLinksState(reading.draft.state, reading.source)
      return new PublicationReader({ ...reading, manifestUrl, lastState }, bulk).read()
    },
  })
}
