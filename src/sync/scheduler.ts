import type { LogEvent } from '../lib/log-event.ts'
import { defined } from '../lib/optional.ts'
import { Periodic } from '../lib/periodic.ts'
import { errorText } from '../lib/text.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { SLOW_MS } from '../store/contracts/sources.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { describeAnomalies } from './anomaly-rules.ts'
import type { SyncDependencies, SyncRun } from './sync-source.ts'

export interface SchedulerDependencies extends Pick<SyncDependencies, 'store' | 'clock'> {
  /** Syncs a source, as `syncSource()` does, until the signal aborts. */
  readonly sync: (slug: string, signal: AbortSignal) => Promise<SyncRun | undefined>
}

export interface SchedulerOptions {
  /** Concurrent syncs in each of the two queues: see `SyncQueues`. */
  readonly concurrency?: number
  /** Concurrent syncs in both queues together, at least twice `concurrency`. */
  readonly syncsMax?: number | undefined
  /** How long deleted row versions are kept. A node that was disconnected for longer must load everything. */
  readonly retentionMs: number
}

const CONCURRENCY = 4
const POLL_MS = 1000
const PURGE_EVERY_MS = HOUR_MS
/** How often plans are compared with the clock. */
const PLANS_EVERY_MS = HOUR_MS

/** Delays before another attempt: after another process was reading the source or the store failed, and after an unexpected error. */
const BUSY_MS = 5000
const RETRY_MS = MINUTE_MS

/**
 * Syncs each source when it is due.
 *
 *     idle ──start()──> polling ──stop()──> stopping ──> stopped
 *
 *     polling    reads the due sources every second, after each sync, and when the next source is due; starts the longest
 *                overdue ones that `SyncQueues` has capacity for. Once an hour, compares all plans with the clock
 *     stopping   running syncs are aborted and awaited; their sources are due again immediately
 *
 * Errors are logged through `onEvent` and retried; no error stops the scheduler. While the store is unavailable, no sync
 * starts; a sync that was interrupted by it has changed nothing and is due again when its lease expires.
 */
export class Scheduler {
  readonly #dependencies: SchedulerDependencies
  readonly #onEvent: (event: LogEvent) => void
  readonly #retentionMs: number
  readonly #stop = new AbortController()
  readonly #queues: SyncQueues
  readonly #running = new Map<string, Promise<void>>()
  readonly #delayedUntilMs = new Map<string, number>()
  readonly #loop: Periodic
  #pauseMs = POLL_MS
  #purging: Promise<void> | undefined
  #purgedAtMs = 0
  #plansComparedAtMs = 0

  constructor(dependencies: SchedulerDependencies, onEvent: (event: LogEvent) => void, options: SchedulerOptions) {
    this.#dependencies = dependencies
    this.#onEvent = onEvent
    this.#queues = new SyncQueues(options.concurrency ?? CONCURRENCY, options.syncsMax)
    this.#retentionMs = options.retentionMs
    this.#loop = new Periodic(() => this.#poll(), {
      everyMs: () => this.#pauseMs,
      onError: (error) => this.#log('error', 'sources could not be listed', { error: errorText(error) }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Aborts running syncs and resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop.close()
    await Promise.all(this.#running.values())
    await this.#purging
  }

  async #poll(): Promise<void> {
    this.#pauseMs = POLL_MS
    const { clock } = this.#dependencies
    const retrying = { onEvent: this.#onEvent, signal: this.#stop.signal }
    await retryUntilAvailable(() => this.#comparePlans(), retrying)
    const nextAtMs = await retryUntilAvailable(() => this.#startDue(), retrying)
    this.#pauseMs = Math.min(POLL_MS, Math.max(0, (nextAtMs ?? Number.POSITIVE_INFINITY) - clock()))
    if (isDue(clock(), this.#purgedAtMs, PURGE_EVERY_MS)) this.#purge()
  }

  /** A clock that was ahead has planned syncs for a time that is far away now. */
  async #comparePlans(): Promise<void> {
    const { store, clock } = this.#dependencies
    if (!isDue(clock(), this.#plansComparedAtMs, PLANS_EVERY_MS)) return
    try {
      const sources = await store.sources.resetFuturePlans()
      if (sources > 0) this.#log('warn', 'sources were planned by a clock that was ahead', { sources })
    } catch (error) {
      if (isUnavailable(error)) throw error
      this.#log('error', 'plans could not be compared with the clock', { error: errorText(error) })
    }
    this.#plansComparedAtMs = clock()
  }

  /** Returns when the next source is due, among the queues with capacity. */
  async #startDue(): Promise<number> {
    const { store, clock } = this.#dependencies
    const except = [...this.#running.keys(), ...this.#delayed(clock())]
    let nextAtMs = Number.POSITIVE_INFINITY
    for (const { slow, free } of this.#queues.capacity(clock())) {
      const syncs = await store.sources.dueSyncs({ slow, except, limit: free })
      for (const { slug, nextSyncAtMs } of syncs) {
        if (this.#stop.signal.aborted) return nextAtMs
        if (nextSyncAtMs > clock()) nextAtMs = Math.min(nextAtMs, nextSyncAtMs)
        else this.#start(slug, slow)
      }
    }
    return nextAtMs
  }

  #start(slug: string, slow: boolean): void {
    this.#queues.enter(slug, { slow, nowMs: this.#dependencies.clock() })
    this.#running.set(slug, this.#sync(slug))
  }

  #delayed(nowMs: number): string[] {
    for (const [slug, untilMs] of this.#delayedUntilMs) {
      if (untilMs <= nowMs || untilMs > nowMs + RETRY_MS) this.#delayedUntilMs.delete(slug)
    }
    return [...this.#delayedUntilMs.keys()]
  }

  async #sync(slug: string): Promise<void> {
    try {
      const run = await this.#dependencies.sync(slug, this.#stop.signal)
      if (run === undefined) return this.#delay(slug, BUSY_MS)
      this.#report(run)
      if (run.storeFailed) this.#delay(slug, BUSY_MS)
      if (run.outcome.added + run.outcome.changed + run.outcome.removed > 0) this.#purge()
    } catch (error) {
      this.#delay(slug, isUnavailable(error) ? BUSY_MS : RETRY_MS)
      if (isUnavailable(error)) this.#log('warn', 'sync was cut off', { source: slug, error: error.message })
      else this.#log('error', 'sync broke down', { source: slug, error: errorText(error) })
    } finally {
      this.#running.delete(slug)
      this.#queues.leave(slug)
      this.#loop.wake()
    }
  }

  #delay(slug: string, ms: number): void {
    this.#delayedUntilMs.set(slug, this.#dependencies.clock() + ms)
  }

  #report({ slug, outcome, nextSyncAtMs, revision, emptied, held, revoked, storeFailed }: SyncRun): void {
    const fields = { source: slug, ...outcome, nextSyncAtMs, ...defined({ revision }) }
    if (held !== undefined) this.#log('warn', 'snapshot was held', { ...fields, why: describeAnomalies(held) })
    else if (outcome.outcome !== 'failed') this.#log('info', 'source was synced', fields)
    else if (revoked || this.#stop.signal.aborted) this.#log('info', 'sync was interrupted', fields)
    else this.#log('warn', storeFailed ? 'sync was cut off' : 'source could not be synced', fields)
    if (emptied) this.#log('warn', 'source was emptied by its publisher', { source: slug, removed: outcome.removed })
  }

  #purge(): void {
    if (this.#purging !== undefined) return
    const { store, clock } = this.#dependencies
    this.#purgedAtMs = clock()
    this.#purging = store.revisionFeed
      .purge(this.#retentionMs, this.#purgedAtMs)
      .catch((error) => {
        // The next poll after it is available again purges.
        if (isUnavailable(error)) this.#purgedAtMs = 0
        else this.#log('error', 'change log could not be purged', { error: errorText(error) })
      })
      .then(() => {
        this.#purging = undefined
      })
  }

  #log(level: LogEvent['level'], message: string, fields: Record<string, unknown>): void {
    this.#onEvent({ level, message, fields })
  }
}

/** Whether something is due again: also after the clock was set back by as much. */
function isDue(nowMs: number, lastMs: number, everyMs: number): boolean {
  return Math.abs(nowMs - lastMs) >= everyMs
}

function isUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable
}

/** The default limit of both queues together, as a multiple of the size of one. */
export const SYNCS_PER_CONCURRENCY = 5

/** A queue and the number of syncs it may start now. */
interface QueueCapacity {
  readonly slow: boolean
  readonly free: number
}

/**
 * Two queues with the same number of concurrent syncs, so that large feeds and slow publishers do not delay the others.
 *
 *     quick ──has run for SLOW_MS──> slow      its place in the quick queue becomes free
 *
 *     quick   sources whose last sync finished within `SLOW_MS`
 *     slow    all other sources, and syncs that were moved from the quick queue
 *
 * Moved syncs may fill the slow queue beyond its size, up to `max` syncs in both; while it is over its size, it starts no sync. A slow
 * publisher therefore occupies a quick place for at most `SLOW_MS`, and none until it is quick again.
 */
export class SyncQueues {
  readonly #size: number
  readonly #max: number
  readonly #quick = new Map<string, number>()
  readonly #slow = new Set<string>()

  constructor(size: number, max = size * SYNCS_PER_CONCURRENCY) {
    this.#size = size
    this.#max = max
  }

  /** The queues that may start a sync, the quick one first. */
  capacity(nowMs: number): QueueCapacity[] {
    this.#moveSlow(nowMs)
    return [
      { slow: false, free: this.#size - this.#quick.size },
      { slow: true, free: this.#size - this.#slow.size },
    ].filter(({ free }) => free > 0)
  }

  enter(slug: string, { slow, nowMs }: { slow: boolean; nowMs: number }): void {
    if (slow) this.#slow.add(slug)
    else this.#quick.set(slug, nowMs)
  }

  leave(slug: string): void {
    this.#quick.delete(slug)
    this.#slow.delete(slug)
  }

  #moveSlow(nowMs: number): void {
    for (const [slug, startedAtMs] of this.#quick) {
      if (nowMs - startedAtMs < SLOW_MS || this.#slow.size + this.#size >= this.#max) continue
      this.#quick.delete(slug)
      this.#slow.add(slug)
    }
  }
}
