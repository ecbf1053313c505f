import type { SourceChanges } from '../slot-index/known-sources.ts'
import type { Store } from '../store/contracts/store.ts'

/** Freshness may be one second older than in the store. */
const POLL_EVERY_MS = 1000

/** Polls the freshness of the sources and sends the differences. */
export class SourceFollower {
  readonly #store: Pick<Store, 'sources'>
  readonly #send: (changes: SourceChanges) => Promise<void>
  readonly #now: () => number
  /** The last sent freshness of each source, as JSON. */
  #sent: ReadonlyMap<string, string> | undefined
  #nextPollMs = Number.NEGATIVE_INFINITY

  /** `now`: milliseconds of any clock that never goes back. */
  constructor(store: Pick<Store, 'sources'>, send: (changes: SourceChanges) => Promise<void>, now: () => number) {
    this.#store = store
    this.#send = send
    this.#now = now
  }

  /** Sends all sources next time. */
  reset(): void {
    this.#sent = undefined
    this.#nextPollMs = Number.NEGATIVE_INFINITY
  }

  /**
   * Polls, at most once per second. Sends all sources the first time, then only differences. If the store cannot be read,
   * it rejects and may be called again.
   */
  async poll(): Promise<void> {
    if (this.#now() < this.#nextPollMs) return
    const known = this.#sent ?? new Map<string, string>()
    const found = await this.#store.sources.freshness()
    const asText = new Map(found.map((source) => [source.slug, JSON.stringify(source)]))
    const sources = found.filter(({ slug }) => known.get(slug) !== asText.get(slug))
    const gone = [...known.keys()].filter((slug) => !asText.has(slug))
    const whole = this.#sent === undefined
    if (whole || sources.length > 0 || gone.length > 0) await this.#send({ sources, gone, whole })
    this.#sent = asText
    this.#nextPollMs = this.#now() + POLL_EVERY_MS
  }
}
