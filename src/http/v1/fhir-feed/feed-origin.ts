import type { KnownSources } from '../../../slot-index/known-sources.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import { LAST_SOURCE_SYNC } from './canonical.ts'

/** Says of resources where they are from. */
export class FeedOrigin {
  readonly #baseUrl: string
  readonly #sources: KnownSources

  constructor(baseUrl: string, sources: KnownSources) {
    this.#baseUrl = baseUrl
    this.#sources = sources
  }

  /** A URI that stands for the publisher, and leads to its slots. */
  sourceOf(publisher: string): string {
    return `${this.#baseUrl}${SLOTS_PATH}?publisher=${encodeURIComponent(publisher)}`
  }

  /** `meta` of what slots refer to: the publisher, and when it was last read. */
  metaOf(publisher: string): unknown {
    const readAtMs = this.#sources.find(publisher)?.lastCheckedAtMs
    const source = this.sourceOf(publisher)
    if (readAtMs === undefined) return { source }
    const valueDateTime = new Date(readAtMs).toISOString()
    return { extension: [{ url: LAST_SOURCE_SYNC, valueDateTime }], source }
  }

  /** The canonical URL of an extension of ours, by which a slot says how it can be attended. */
  get channelUrl(): string {
    return `${this.#baseUrl}/fhir/StructureDefinition/channel`
  }
}
