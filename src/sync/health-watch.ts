import { randomUUID } from 'node:crypto'
import type { LogEvent } from '../lib/log-event.ts'
import { retryUntilAvailable } from '../lib/retry-until-available.ts'
import { errorText } from '../lib/text.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import type { SourceGauge } from './source-gauge.ts'
import { healthOf, LATE_AFTER_MS } from './source-health.ts'

/** What looks after the health of sources. */
export interface HealthWatchParts {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: LogEvent) => void
  /** Told of all sources with each look. */
  readonly onGauges: (gauges: readonly SourceGauge[]) => void
}

/** How often it looks. A thousand sources cost it some ten milliseconds. */
export const WATCH_EVERY_MS = 5000

/** Of several nodes one stores what changed, so that their clocks do not argue; another takes over when it falls silent. */
const CHORE = 'health of sources'
const CHORE_MS = 4 * WATCH_EVERY_MS

/** After a start the sources are due that were due meanwhile: they are late because nobody was there, not because of anybody's fault. */
const SETTLE_MS = LATE_AFTER_MS

/**
 * Judges all sources every five seconds, tells how they do, and stores each change of health with its event, once.
 * While the store is away nothing changes.
 */
export class HealthWatch {
  readonly #parts: HealthWatchParts
  readonly #owner = randomUUID()
  readonly #stop = new AbortController()
  readonly #startedAtMs: number
  #watching: Promise<void> | undefined
  #wake = () => {}

  constructor(parts: HealthWatchParts) {
    this.#parts = parts
    this.#startedAtMs = parts.clock()
  }

  start(): void {
    this.#watching ??= this.#watch()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#watching
  }

  /** One look. Rejects if the store fails. */
  async look(): Promise<void> {
    const { store, clock, onGauges } = this.#parts
    const sources = await store.sources.overview()
    const nowMs = clock()
    const judged = sources.map((source) => ({ source, ...this.#judge(source, nowMs) }))
    onGauges(judged.map(({ source, health }) => gaugeOf(source, health)))
    const changed = judged.filter(({ source, health }) => health !== source.watch.health)
    if (changed.length === 0 || !(await store.jobLocks.acquire(CHORE, this.#owner, CHORE_MS))) return
    for (const { source, health, why } of changed) {
      if (this.#stop.signal.aborted) return
      await this.#note(source, { from: source.watch.health, to: health, why, atMs: nowMs })
    }
  }

  #judge(source: SourceOverview, nowMs: number) {
    const judged = healthOf(source, nowMs)
    const isEarly = nowMs - this.#startedAtMs < SETTLE_MS
    return judged.health === 'late' && isEarly ? { health: source.watch.health, why: '' } : judged
  }

  async #note(source: SourceOverview, change: Parameters<Store['health']['record']>[1]): Promise<void> {
    if (!(await this.#parts.store.health.record(source.id, change))) return
    const { from, to, why } = change
    const level = to === 'healthy' || to === 'paused' || to === 'never-synced' ? 'info' : 'warn'
    const fields = { source: source.slug, from, to, ...(why === '' ? {} : { why }) }
    this.#parts.onEvent({ level, message: 'health of a source changed', fields })
  }

  async #watch(): Promise<void> {
    const { onEvent } = this.#parts
    const { signal } = this.#stop
    const isUnavailable = (thrown: unknown) => thrown instanceof StoreUnavailable
    while (!signal.aborted) {
      try {
        // Who syncs tells that the store is away.
        await retryUntilAvailable(() => this.look(), {
          name: 'store',
          isUnavailable,
          onEvent: () => undefined,
          signal,
        })
      } catch (error) {
        const told = errorText(error)
        onEvent({ level: 'error', message: 'sources could not be looked after', fields: { error: told } })
      }
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, WATCH_EVERY_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function gaugeOf(source: SourceOverview, health: SourceGauge['health']): SourceGauge {
  const { slug, slotCount, lastCheckedAtMs: lookedAtMs, publishedAtMs, changedAtMs } = source
  return {
    slug,
    health,
    slots: slotCount,
    ...(lookedAtMs !== undefined && { lookedAtMs }),
    ...(publishedAtMs !== undefined && { publishedAtMs }),
    ...(changedAtMs !== undefined && { changedAtMs }),
  }
}
