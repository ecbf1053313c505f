import type { SourceChanges } from '../slot-index/known-sources.ts'
import type { Store } from '../store/contracts/store.ts'

/** Callers may know a second later than the store when a source was looked at. */
const LOOK_EVERY_MS = 1000

/** Follows how fresh the sources are, and hands on what became of those that differ from what was told before. */
export class SourceFollower {
  readonly #store: Pick<Store, 'sources'>
  readonly #tell: (changes: SourceChanges) => Promise<void>
  readonly #now: () => number
  /** What was told of each source, as JSON. */
  #told: ReadonlyMap<string, string> | undefined
  #nextLookMs = Number.NEGATIVE_INFINITY

  /** `now`: milliseconds of any clock that never goes back. */
  constructor(
    store: Pick<Store, 'sources'>,
    tell: (changes: SourceChanges) => Promise<void>,
    now: () => number,
  ) {
    this.#store = store
    this.#tell = tell
    this.#now = now
  }

  /**
   * Looks, unless it did within the last second; tells all there are the first time, and afterwards what is new, if anything.
   * Rejects if the store cannot be read; it may then be called again.
   */
  async look(): Promise<void> {
    if (this.#now() < this.#nextLookMs) return
    const known = this.#told ?? new Map<string, string>()
    const found = await this.#store.sources.freshness()
    const asText = new Map(found.map((source) => [source.slug, JSON.stringify(source)]))
    const sources = found.filter(({ slug }) => known.get(slug) !== asText.get(slug))
    const gone = [...known.keys()].filter((slug) => !asText.has(slug))
    const whole = this.#told === undefined
    if (whole || sources.length > 0 || gone.length > 0) await this.#tell({ sources, gone, whole })
    this.#told = asText
    this.#nextLookMs = this.#now() + LOOK_EVERY_MS
  }
}
