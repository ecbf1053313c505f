import { randomUUID } from 'node:crypto'
import type { NodeQuery, OpenSlotCounts } from '../http/node-query.ts'
import type { SerializedResponse } from '../http/serialized-http.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { OpenCounts } from '../store/contracts/open-slot-history.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'

export interface OpenSlotCounterOptions {
  readonly store: Pick<Store, 'openSlotHistory' | 'jobLocks' | 'sources'>
  readonly query: (query: NodeQuery) => Promise<SerializedResponse>
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/** How often it checks whether sources are to be counted; longer than a snapshot takes to reach memory. */
const CHECK_EVERY_MS = 15_000

/** Only one node counts; another takes over if that one does not finish. */
const JOB = 'open slots'
const JOB_MS = 5 * MINUTE_MS

/** Counts the open slots of each source once an hour, on one node of the cluster. Retries after a failure, which is reported once. */
export function openSlotCounter(options: OpenSlotCounterOptions): Periodic {
  const counter = new OpenSlotCounter(options)
  let isFailing = false
  const count = async () => {
    await counter.count()
    isFailing = false
  }
  return new Periodic(count, {
    everyMs: CHECK_EVERY_MS,
    onError(error) {
      // The threads that wait for the store report it.
      if (error instanceof StoreUnavailable || isFailing) return
      isFailing = true
      const fields = { error: errorText(error) }
      options.onEvent({ level: 'error', message: 'open slots could not be counted', fields })
    },
  })
}

/**
 * Counts each source in its first hour as soon as it was read, and then every hour. A source that was not read has no counts,
 * rather than 0.
 */
export class OpenSlotCounter {
  readonly #options: OpenSlotCounterOptions
  readonly #owner = randomUUID()
  readonly #startedAtMs: number
  /** The sources that were read by the last check: their slots are in memory by now. */
  #readBefore: ReadonlySet<string> | undefined
  /** The sources with a count of this hour. */
  #counted = { hour: 0, slugs: new Set<string>() }

  constructor(options: OpenSlotCounterOptions) {
    this.#options = options
    this.#startedAtMs = options.now()
  }

  /** Counts the sources without a count of this hour, unless another node is counting, or this one is still loading. Returns their slugs. */
  async count(): Promise<readonly string[]> {
    const { store, query, now } = this.#options
    const nowMs = now()
    const uncounted = await this.#uncounted(nowMs)
    if (uncounted.length === 0) return []
    const { status, body } = await query({ about: 'open-slots' })
    if (status !== 200 || !(await store.jobLocks.acquire(JOB, this.#owner, JOB_MS))) return []
    const parsed: OpenSlotCounts = JSON.parse(Buffer.from(body).toString())
    const counts = new Map(Object.entries(parsed))
    await store.openSlotHistory.put(nowMs, new Map(uncounted.map((slug) => [slug, openCounts(counts.get(slug))])))
    for (const slug of uncounted) this.#counted.slugs.add(slug)
    return uncounted
  }

  /** Asks the store only about sources that this node has not seen counted. */
  async #uncounted(nowMs: number): Promise<string[]> {
    const { store } = this.#options
    const hour = Math.floor(nowMs / HOUR_MS)
    if (hour !== this.#counted.hour) this.#counted = { hour, slugs: new Set() }
    const { slugs } = this.#counted
    const due = (await this.#inMemory()).filter((slug) => !slugs.has(slug))
    const uncounted = await store.openSlotHistory.uncounted(nowMs, due)
    const isUncounted = new Set(uncounted)
    for (const slug of due) if (!isUncounted.has(slug)) slugs.add(slug)
    return uncounted
  }

  /** The sources that were read before the last check, or before this node started. */
  async #inMemory(): Promise<string[]> {
    const read = (await this.#options.store.sources.freshness()).filter(
      ({ lastCheckedAtMs }) => lastCheckedAtMs != null,
    )
    const before = this.#readBefore
    this.#readBefore = new Set(read.map(({ slug }) => slug))
    return read
      .filter(({ slug, lastCheckedAtMs = 0 }) => before?.has(slug) ?? lastCheckedAtMs < this.#startedAtMs)
      .map(({ slug }) => slug)
  }
}

function openCounts(counts: OpenSlotCounts[string] | undefined): OpenCounts {
  return new Map(counts === undefined ? [['', 0]] : [['', counts.all], ...Object.entries(counts.byState)])
}
