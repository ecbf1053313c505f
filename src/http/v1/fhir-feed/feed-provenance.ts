import packageJson from '../../../../package.json' with { type: 'json' }
import { defined } from '../../../lib/optional.ts'
import type { PlanningHorizon, ScheduleHorizons } from '../../../slot/planning-horizon.ts'
import type { ResourceDetails } from '../../../slot/slot.ts'
import type { SourceFreshness } from '../../../slot/source-freshness.ts'
import type { KnownSources } from '../../../slot-index/known-sources.ts'
import { SLOTS_PATH } from '../list-slots/list-slots.ts'
import { variantName } from './feed-file.ts'

/** The planning horizons of a publisher. */
export type HorizonLookup = (publisher: string) => ScheduleHorizons

/**
 * The provenance of resources: their publisher, as of the first call, because it is written into files that must not change; and what
 * their publisher says of them that changes without their slots.
 */
export class FeedProvenance {
  readonly #baseUrl: string
  readonly #sources: KnownSources
  readonly #known: Map<string, SourceFreshness | undefined>
  readonly #horizons: HorizonLookup

  constructor(
    baseUrl: string,
    sources: KnownSources,
    horizons: HorizonLookup = () => new Map(),
    known = new Map<string, SourceFreshness | undefined>(),
  ) {
    this.#baseUrl = baseUrl
    this.#sources = sources
    this.#horizons = horizons
    this.#known = known
  }

  /** The same publishers with other planning horizons. */
  withHorizons(horizons: HorizonLookup): FeedProvenance {
    return new FeedProvenance(this.#baseUrl, this.#sources, horizons, this.#known)
  }

  /** The planning horizon of a Schedule, by its id at the publisher. */
  horizonOf(publisher: string, scheduleId: string): PlanningHorizon | undefined {
    return this.#horizons(publisher).get(scheduleId)
  }

  /** The publisher's feed; if it is not public, the address of its slots here. */
  sourceOf(publisher: string): string {
    return this.#addressOf(publisher, this.#find(publisher))
  }

  /**
   * Part of the names of files, whose content never changes: distinguishes what their lines depend on beside the slots. That is the version
   * of this service, its address, and the addresses of the publishers in the file.
   */
  variantOf(publishers: Iterable<string>): string {
    const addresses = [...publishers].sort().map((publisher) => this.sourceOf(publisher))
    return variantName([packageJson.version, this.#baseUrl, ...addresses])
  }

  /** Whether the addresses of the publishers in the files are unchanged. */
  get isCurrent(): boolean {
    return [...this.#known].every(([publisher, known]) => known?.feedUrl === this.#sources.find(publisher)?.feedUrl)
  }

  /** `meta` of a resource: the publisher, and the labels of the source. */
  metaOf(publisher: string, { tag, security }: ResourceDetails = {}): object {
    return { source: this.sourceOf(publisher), ...defined({ tag, security }) }
  }

  /** When each publisher was last synced, by the address of its feed. Resources do not state it: their lines must not change with it. */
  lastSyncs(sources: readonly SourceFreshness[]): Record<string, string> {
    const syncs = sources.flatMap((source) => {
      const { slug, lastCheckedAtMs } = source
      if (lastCheckedAtMs === undefined) return []
      // An address that is in no file may change.
      const known = this.#known.has(slug) ? this.#known.get(slug) : source
      return [[this.#addressOf(slug, known), new Date(lastCheckedAtMs).toISOString()]]
    })
    return Object.fromEntries(syncs)
  }

  #addressOf(publisher: string, source: SourceFreshness | undefined): string {
    return source?.feedUrl ?? `${this.#baseUrl}${SLOTS_PATH}?publisher=${encodeURIComponent(publisher)}`
  }

  #find(publisher: string): SourceFreshness | undefined {
    if (!this.#known.has(publisher)) this.#known.set(publisher, this.#sources.find(publisher))
    return this.#known.get(publisher)
  }

  /** The canonical URL of this service's extension for what the guide has none: how a slot is attended, and its capacity. */
  extensionUrl(name: 'channel' | 'capacity'): string {
    return `${this.#baseUrl}/fhir/StructureDefinition/${name}`
  }
}
