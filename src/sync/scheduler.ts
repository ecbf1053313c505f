import type { LogEvent } from '../lib/log-event.ts'
import { type RetryOptions, retryUntilAvailable } from '../lib/retry-until-available.ts'
import { errorText } from '../lib/text.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { StoreUnavailable } from '../store/contracts/store.ts'
import { wordsOf } from './anomaly-rules.ts'
import { SyncLanes } from './sync-queues.ts'
import { type SyncParts, type SyncRun, syncSource } from './sync-source.ts'

export interface SchedulerOptions {
  /** Sources that are read at once; of those that take long, as many again. */
  readonly concurrency?: number
  /** How long the dead stay for those who follow. Whoever was away for longer reads everything anew. */
  readonly retentionMs?: number
}

const CONCURRENCY = 4
const LOOK_MS = 1000
const RETENTION_MS = 10 * MINUTE_MS
const PURGE_EVERY_MS = HOUR_MS

/** A source that somebody else reads is left alone for a moment, one whose sync broke down for a minute. */
const BUSY_MS = 5000
const BROKEN_MS = MINUTE_MS

/**
 * Syncs each source when it is due.
 *
 *     idle ──start()──> looking ──stop()──> stopping ──> stopped
 *
 * While looking, it asks the store every second, whenever a sync ends, and when the next source is due, whose turn it is, and
 * starts the longest due while there is a place for it: see `SyncLanes`. Each runs by itself: a slow source holds up no other.
 * Nothing that goes wrong ends it: that is told by `onEvent`, and tried again. While the store is away nothing is due; a sync
 * that it went away under has changed nothing, and is due again when its lease is over.
 */
export class Scheduler {
  readonly #parts: SyncParts
  readonly #onEvent: (event: LogEvent) => void
  readonly #retentionMs: number
  readonly #stop = new AbortController()
  readonly #retry: RetryOptions
  readonly #lanes: SyncLanes
  readonly #running = new Map<string, Promise<void>>()
  readonly #heldBackUntilMs = new Map<string, number>()
  #looking: Promise<void> | undefined
  #purging: Promise<void> | undefined
  #purgedAtMs = 0
  #wake = () => {}

  constructor(parts: SyncParts, onEvent: (event: LogEvent) => void, options: SchedulerOptions = {}) {
    this.#parts = parts
    this.#onEvent = onEvent
    this.#lanes = new SyncLanes(options.concurrency ?? CONCURRENCY)
    this.#retentionMs = options.retentionMs ?? RETENTION_MS
    this.#retry = { name: 'store', isUnavailable, onEvent, signal: this.#stop.signal }
  }

  start(): void {
    this.#looking ??= this.#look()
  }

  /** Aborts what runs, and resolves when nothing runs any more. The aborted sources are due again at once. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#looking
    await Promise.all(this.#running.values())
    await this.#purging
  }

  async #look(): Promise<void> {
    for (;;) {
      let pauseMs = LOOK_MS
      try {
        const nextAtMs = await retryUntilAvailable(() => this.#startDue(), this.#retry)
        pauseMs = Math.min(LOOK_MS, Math.max(0, (nextAtMs ?? Number.POSITIVE_INFINITY) - this.#parts.clock()))
        if (this.#parts.clock() - this.#purgedAtMs >= PURGE_EVERY_MS) this.#purge()
      } catch (error) {
        this.#tell('error', 'sources could not be listed', { error: errorText(error) })
      }
      if (this.#stop.signal.aborted) return
      await this.#pause(pauseMs)
    }
  }

  /** Returns when the next one is due, as far as there is a place for it. */
  async #startDue(): Promise<number> {
    const { store, clock } = this.#parts
    const but = [...this.#running.keys(), ...this.#heldBack(clock())]
    let nextAtMs = Number.POSITIVE_INFINITY
    for (const { slow, places } of this.#lanes.room(clock())) {
      const turns = await store.sources.dueSyncs({ slow, except: but, limit: places })
      for (const { slug, nextSyncAtMs } of turns) {
        if (this.#stop.signal.aborted) return nextAtMs
        if (nextSyncAtMs > clock()) nextAtMs = Math.min(nextAtMs, nextSyncAtMs)
        else this.#start(slug, slow)
      }
    }
    return nextAtMs
  }

  #start(slug: string, slow: boolean): void {
    this.#lanes.enter(slug, { slow, nowMs: this.#parts.clock() })
    this.#running.set(slug, this.#sync(slug))
  }

  #heldBack(nowMs: number): string[] {
    for (const [slug, untilMs] of this.#heldBackUntilMs) {
      if (untilMs <= nowMs) this.#heldBackUntilMs.delete(slug)
    }
    return [...this.#heldBackUntilMs.keys()]
  }

  async #sync(slug: string): Promise<void> {
    try {
      const run = await syncSource(this.#parts, slug, { signal: this.#stop.signal })
      if (run === undefined) return this.#holdBack(slug, BUSY_MS)
      this.#report(run)
      if (run.outcome.added + run.outcome.changed + run.outcome.removed > 0) this.#purge()
    } catch (error) {
      this.#holdBack(slug, isUnavailable(error) ? BUSY_MS : BROKEN_MS)
      if (isUnavailable(error)) this.#tell('warn', 'sync was cut off', { source: slug, error: error.message })
      else this.#tell('error', 'sync broke down', { source: slug, error: errorText(error) })
    } finally {
      this.#running.delete(slug)
      this.#lanes.leave(slug)
      this.#wake()
    }
  }

  #holdBack(slug: string, ms: number): void {
    this.#heldBackUntilMs.set(slug, this.#parts.clock() + ms)
  }

  #report({ slug, outcome, nextSyncAtMs, revision, emptied, held }: SyncRun): void {
    const fields = { source: slug, ...outcome, nextSyncAtMs, ...(revision === undefined ? {} : { revision }) }
    if (held !== undefined) this.#tell('warn', 'snapshot was held', { ...fields, why: wordsOf(held) })
    else if (outcome.outcome !== 'failed') this.#tell('info', 'source was synced', fields)
    else if (this.#stop.signal.aborted) this.#tell('info', 'sync was interrupted', fields)
    else this.#tell('warn', 'source could not be synced', fields)
    if (emptied)
      this.#tell('warn', 'source was emptied by its publisher', { source: slug, removed: outcome.removed })
  }

  #purge(): void {
    if (this.#purging !== undefined) return
    this.#purgedAtMs = this.#parts.clock()
    this.#purging = this.#parts.store.revisionFeed
      .purge(this.#retentionMs, this.#purgedAtMs)
      .catch((error) => {
        // Once it is back, it is tried again.
        if (isUnavailable(error)) this.#purgedAtMs = 0
        else this.#tell('error', 'change feed could not be purged', { error: errorText(error) })
      })
      .then(() => {
        this.#purging = undefined
      })
  }

  /** So long, or until a sync ends or the scheduler is to stop. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #tell(level: LogEvent['level'], message: string, fields: Record<string, unknown>): void {
    this.#onEvent({ level, message, fields })
  }
}

function isUnavailable(thrown: unknown): thrown is StoreUnavailable {
  return thrown instanceof StoreUnavailable
}
