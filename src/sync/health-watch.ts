import { randomUUID } from 'node:crypto'
import type { LogEvent } from '../lib/log-event.ts'
import { defined } from '../lib/optional.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import type { SourceHealth } from '../slot/source-freshness.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'
import type { Store } from '../store/contracts/store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { healthOf, LATE_AFTER_MS } from './source-health.ts'

interface HealthWatchOptions {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: LogEvent) => void
  /** Called with all sources on each check. */
  readonly onGauges: (gauges: readonly SourceGauge[]) => void
}

/** A check of a thousand sources takes about ten milliseconds. */
const WATCH_EVERY_MS = 5000

/** Only the node with this lock stores changes, so that clock differences have no effect; another takes over if it stops. */
const JOB_LOCK = 'health of sources'
const JOB_LOCK_MS = 4 * WATCH_EVERY_MS

/** After a start, sources are overdue because no process was running: they are not reported as late for this long. */
const START_UP_MS = LATE_AFTER_MS

/**
 * Assesses all sources every five seconds, reports their gauges, and stores and logs each change of health once.
 * Does nothing while the store is unavailable.
 */
export class HealthWatch {
  readonly #options: HealthWatchOptions
  readonly #owner = randomUUID()
  readonly #startedAtMs: number
  readonly #loop: Periodic

  constructor(options: HealthWatchOptions) {
    this.#options = options
    this.#startedAtMs = options.clock()
    // The scheduler logs that the store is unavailable.
    this.#loop = new Periodic((signal) => retryUntilAvailable(() => this.check(signal), { signal }), {
      everyMs: WATCH_EVERY_MS,
      onError(error) {
        const fields = { error: errorText(error) }
        options.onEvent({ level: 'error', message: 'health of sources could not be assessed', fields })
      },
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.close()
  }

  /** Checks all sources once. Rejects if the store fails. */
  async check(signal?: AbortSignal): Promise<void> {
    const { store, clock, onGauges } = this.#options
    const sources = await store.sources.overview()
    const nowMs = clock()
    const assessed = sources.map((source) => ({ source, ...this.#assess(source, nowMs) }))
    onGauges(assessed.map(({ source, health }) => gaugeOf(source, health)))
    const changed = assessed.filter(({ source, health }) => health !== source.watch.health)
    if (changed.length === 0 || !(await store.jobLocks.acquire(JOB_LOCK, this.#owner, JOB_LOCK_MS))) return
    for (const { source, health, why } of changed) {
      if (signal?.aborted) return
      await this.#record(source, { from: source.watch.health, to: health, why, atMs: nowMs })
    }
  }

  #assess(source: SourceOverview, nowMs: number) {
    const assessed = healthOf(source, nowMs)
    const isEarly = nowMs - this.#startedAtMs < START_UP_MS
    return assessed.health === 'late' && isEarly ? { health: source.watch.health, why: '' } : assessed
  }

  async #record(source: SourceOverview, change: Parameters<Store['health']['record']>[1]): Promise<void> {
    if (!(await this.#options.store.health.record(source.id, change))) return
    const { from, to, why } = change
    const level = to === 'healthy' || to === 'paused' || to === 'never-synced' ? 'info' : 'warn'
    const fields = { source: source.slug, from, to, ...(why === '' ? {} : { why }) }
    this.#options.onEvent({ level, message: 'health of a source changed', fields })
  }
}

function gaugeOf(source: SourceOverview, health: SourceGauge['health']): SourceGauge {
  const { slug, slotCount, lastCheckedAtMs, publishedAtMs, changedAtMs, watch } = source
  return {
    slug,
    health,
    slots: slotCount,
    rejected: watch.lastRead?.rejected ?? 0,
    ...defined({ lastCheckedAtMs, publishedAtMs, changedAtMs }),
  }
}

/** The metrics of one source. */
export interface SourceGauge {
  readonly slug: string
  readonly health: SourceHealth
  readonly slots: number
  /** Lines of the current snapshot. */
  readonly rejected: number
  readonly lastCheckedAtMs?: number
  readonly publishedAtMs?: number
  readonly changedAtMs?: number
}
