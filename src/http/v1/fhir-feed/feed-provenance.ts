import type { KnownSources } from '../../../slot-index/known-sources.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import { LAST_SOURCE_SYNC } from './canonical.ts'

/** The provenance of resources: their publisher and its last sync. */
export class FeedProvenance {
  readonly #baseUrl: string
  readonly #sources: KnownSources

  constructor(baseUrl: string, sources: KnownSources) {
    this.#baseUrl = baseUrl
    this.#sources = sources
  }

  /** A URI that identifies the publisher and resolves to its slots. */
  sourceOf(publisher: string): string {
    return `${this.#baseUrl}${SLOTS_PATH}?publisher=${encodeURIComponent(publisher)}`
  }

  /** `meta` of a directory resource: the publisher and its last sync. */
  metaOf(publisher: string): unknown {
    const syncedAtMs = this.#sources.find(publisher)?.lastCheckedAtMs
    const source = this.sourceOf(publisher)
    if (syncedAtMs === undefined) return { source }
    const valueDateTime = new Date(syncedAtMs).toISOString()
    return { extension: [{ url: LAST_SOURCE_SYNC, valueDateTime }], source }
  }

  /** The canonical URL of this service's extension for the service mode of a slot. */
  get channelUrl(): string {
    return `${this.#baseUrl}/fhir/StructureDefinition/channel`
  }
}
