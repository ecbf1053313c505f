import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Config } from '../config/config.ts'
import type { ApiContext, NodeCondition } from '../http/api-context.ts'
import type { NodeHealth, NodeQuery } from '../http/node-query.ts'
import { OPEN_FEED_REQUESTS, OpenFeedCounts, OpenFeedTotals } from '../http/open-feed/open-feed-counts.ts'
import { REQUESTS_REFUSED, RefusalCounters, Refusals, refusalReporter } from '../http/refusals.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { SlotIndex } from '../slot-index/slot-index.ts'
import { STORE_AVAILABLE, STORE_UNAVAILABLE } from '../store/retry-until-available.ts'
import type { SourceGauge } from '../sync/health-watch.ts'
import { AUDIT_LOG_FAILED, AUDIT_LOG_RECOVERED } from './audit-events.ts'
import type { IndexMirror } from './follow-worker.ts'
import type { Logger } from './log.ts'
import type { MemoryBudget } from './memory-budget.ts'
import type { NodeMetrics } from './metrics/node-metrics.ts'
import type { DeliveryGauges } from './subscriptions-worker.ts'

/** Receives the events of a node's threads: logs them, and derives the node's condition and metrics from them. */
export class NodeTelemetry {
  readonly #log: Logger
  readonly #store: StoreStatus
  readonly #syncs = new SyncCounters()
  #gauges: readonly SourceGauge[] = []
  #deliveries: DeliveryGauges = { delivered: 0, failed: 0, inFlight: 0, queued: 0 }
  #isDraining = false
  #isAuditLogUp = true
  readonly #refusals = new RefusalCounters(Date.now)
  readonly #openFeed = new OpenFeedTotals()
  #lastChange = ''
  #lastChangeAtMs: number | undefined

  constructor({ databaseUrl }: Config, log: Logger) {
    this.#log = log
    this.#store = new StoreStatus(databaseUrl, Date.now)
  }

  /** The receiver of a thread's events. */
  eventsOf(thread: string): (event: LogEvent) => void {
    return this.#store.listener(thread, (event) => this.#log[event.level](event.fields, event.message))
  }

  readonly onSyncEvent = (event: LogEvent): void => {
    this.#syncs.note(event)
    this.eventsOf('sync')(event)
  }

  readonly onDashboardEvent = (event: LogEvent): void => {
    if (event.message === AUDIT_LOG_FAILED) this.#isAuditLogUp = false
    else if (event.message === AUDIT_LOG_RECOVERED) this.#isAuditLogUp = true
    this.#countOrLog(event, 'dashboard')
  }

  readonly onServingEvent = (event: LogEvent): void => this.#countOrLog(event, 'serving')

  /** Requests to the open feed are counted; refusals are counted, and logged as a sample. */
  #countOrLog(event: LogEvent, thread: string): void {
    if (event.message === OPEN_FEED_REQUESTS) {
      this.#openFeed.add(event)
      return
    }
    if (event.message !== REQUESTS_REFUSED || this.#refusals.note(event)) this.eventsOf(thread)(event)
  }

  /** Reports of the requests that the main thread answers. */
  requestReports(trustedProxies: number, isFeedOpen: boolean): Pick<ApiContext, 'onError' | 'onRefusal' | 'openFeed'> {
    const onEvent = (event: LogEvent) => this.#countOrLog(event, 'main')
    return {
      onError: this.onRequestError,
      onRefusal: refusalReporter(new Refusals(onEvent), trustedProxies),
      ...(isFeedOpen && { openFeed: new OpenFeedCounts(onEvent) }),
    }
  }

  readonly onGauges = (gauges: readonly SourceGauge[]): void => {
    this.#gauges = gauges
  }

  readonly onDeliveries = (deliveries: DeliveryGauges): void => {
    this.#deliveries = deliveries
  }

  readonly onRequestError: ApiContext['onError'] = (error, request) =>
    this.#log.error({ err: error, request }, 'request failed')

  readonly onQueryError = (error: unknown, { about }: NodeQuery): void =>
    this.#log.error({ err: error, about }, 'query of the dashboard thread failed')

  /** Notes when slots change. */
  readonly mirror: IndexMirror = {
    take: async (message) => {
      if (message.kind !== 'slots') return
      const { store, revision } = message.content.committed
      // Merged runs are sent again at the same revision.
      if (this.#lastChange !== `${store}.${revision}`) this.#lastChangeAtMs = Date.now()
      this.#lastChange = `${store}.${revision}`
    },
  }

  noteDraining(): void {
    this.#isDraining = true
  }

  get condition(): NodeCondition {
    const changed = this.#lastChangeAtMs !== undefined && { lastChangeAtMs: this.#lastChangeAtMs }
    return { draining: this.#isDraining, store: this.#store.condition, ...changed }
  }

  get metrics(): Pick<
    NodeMetrics,
    'condition' | 'storeUnavailableMs' | 'syncs' | 'sources' | 'isAuditLogUp' | 'refusals' | 'openFeed' | 'deliveries'
  > {
    return {
      condition: () => this.condition,
      storeUnavailableMs: () => this.#store.unavailableMs,
      syncs: this.#syncs,
      sources: () => this.#gauges,
      isAuditLogUp: () => this.#isAuditLogUp,
      refusals: this.#refusals,
      openFeed: this.#openFeed,
      deliveries: () => this.#deliveries,
    }
  }
}

/**
 * Whether the database is available, from the events of the threads that wait for it. It is logged once for all of them.
 *
 *     ok ── first thread: unavailable ──▶ unavailable ── last thread: available ──▶ ok
 */
export class StoreStatus {
  readonly #kind: NodeCondition['store']['kind']
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #waitingThreads = new Set<string>()
  #sinceMs: number
  #unavailableFromMs = 0
  #unavailableMsBefore = 0

  /** `now`: Unix milliseconds. `elapsed`: milliseconds of any clock that never goes back, unlike `now`. */
  constructor(databaseUrl: string, now: () => number, elapsed = () => performance.now()) {
    this.#kind = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
    this.#now = now
    this.#elapsed = elapsed
    this.#sinceMs = now()
  }

  /** Passes a thread's events on, except those about the store that repeat another thread's. */
  listener(thread: string, onEvent: (event: LogEvent) => void): (event: LogEvent) => void {
    return (event) => {
      if (event.message === STORE_UNAVAILABLE) this.#noteUnavailable(thread, event, onEvent)
      else if (event.message === STORE_AVAILABLE) this.#noteAvailable(thread, event, onEvent)
      else {
        // Its successor reports for itself.
        if (event.message === 'thread died') this.#noteAvailable(thread, undefined, onEvent)
        onEvent(event)
      }
    }
  }

  get condition(): NodeCondition['store'] {
    return { kind: this.#kind, status: this.#waitingThreads.size > 0 ? 'unavailable' : 'ok', sinceMs: this.#sinceMs }
  }

  /** In total, until now. */
  get unavailableMs(): number {
    return this.#unavailableMsBefore + (this.#waitingThreads.size > 0 ? this.#elapsed() - this.#unavailableFromMs : 0)
  }

  #noteUnavailable(thread: string, event: LogEvent, onEvent: (event: LogEvent) => void): void {
    const isFirst = this.#waitingThreads.size === 0
    this.#waitingThreads.add(thread)
    if (!isFirst) return
    this.#sinceMs = this.#now()
    this.#unavailableFromMs = this.#elapsed()
    onEvent(event)
  }

  #noteAvailable(thread: string, event: LogEvent | undefined, onEvent: (event: LogEvent) => void): void {
    if (!this.#waitingThreads.delete(thread) || this.#waitingThreads.size > 0) return
    const unavailableMs = this.#elapsed() - this.#unavailableFromMs
    this.#unavailableMsBefore += unavailableMs
    this.#sinceMs = this.#now()
    if (event !== undefined) onEvent({ ...event, fields: { unavailableMs: Math.round(unavailableMs) } })
  }
}

/** The outcome of a sync; `broken` if the store or the service itself failed. */
type CountedOutcome = 'ok' | 'partial' | 'held' | 'failed' | 'broken'

const OUTCOMES: ReadonlySet<unknown> = new Set<CountedOutcome>(['ok', 'partial', 'held', 'failed'])

/** Messages of the scheduler about syncs without an outcome. */
const BROKEN = new Set(['sync was cut off', 'sync broke down'])
/** Because the node stops, or the source was paused, edited or removed: says nothing of the source. */
const INTERRUPTED = 'sync was interrupted'

/** Counts the syncs of this node by outcome, from the events of its sync thread. */
export class SyncCounters {
  readonly #counts = new Map<string, Map<CountedOutcome, number>>()

  note({ message, fields: { source, outcome } }: LogEvent): void {
    if (typeof source !== 'string' || message === INTERRUPTED) return
    if (BROKEN.has(message)) this.#count(source, 'broken')
    else if (OUTCOMES.has(outcome)) this.#count(source, outcome as CountedOutcome)
  }

  *counts(): Iterable<{ source: string; outcome: CountedOutcome; count: number }> {
    for (const [source, outcomes] of this.#counts) {
      for (const [outcome, count] of outcomes) yield { source, outcome, count }
    }
  }

  #count(source: string, outcome: CountedOutcome): void {
    const outcomes = this.#counts.get(source) ?? new Map<CountedOutcome, number>()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    this.#counts.set(source, outcomes)
  }
}

/** Long enough for stable percentiles, short enough to describe the present. */
const WINDOW_MS = MINUTE_MS
/** The sampling interval of the event-loop delay: 300 samples per window. Each wakes the thread, which costs 0.2 ms on an idle machine. */
const RESOLUTION_MS = 200

/** Windows that are kept: an hour. */
const WINDOWS_MAX = 60

type Waits = Omit<NodeHealth['eventLoop'], 'past'>

/** The parts of a node that its health is read from. */
export interface WatchedNode {
  readonly index: SlotIndex
  readonly keyRing: KeyRing
  readonly isReady: () => boolean
  readonly memory: Pick<MemoryBudget, 'maxBytes'>
}

/** Measures this node's health: memory, contents, and the event-loop delay of the main thread. */
export class NodeWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #startedAtMs = Date.now()
  readonly #turning: NodeJS.Timeout
  readonly #windows: NodeHealth['eventLoop']['past'][number][] = []

  constructor() {
    this.#delays.enable()
    this.#turning = setInterval(() => this.#turn(), WINDOW_MS).unref()
  }

  health({ index, keyRing, isReady, memory }: WatchedNode): NodeHealth {
    const { rss, heapUsed, external } = process.memoryUsage()
    const last = this.#windows.at(-1)
    const lastWindow = last && { p50Ms: last.p50Ms, p99Ms: last.p99Ms }
    return {
      nodeVersion: process.version,
      startedAtMs: this.#startedAtMs,
      ready: isReady(),
      slots: index.length,
      keys: keyRing.size,
      memory: {
        rssBytes: rss,
        heapBytes: heapUsed,
        externalBytes: external,
        maxBytes: memory.maxBytes,
        missingSlots: index.missing,
      },
      eventLoop: { ...(lastWindow ?? waitsOf(this.#delays)), past: this.#windows },
    }
  }

  stop(): void {
    clearInterval(this.#turning)
    this.#delays.disable()
  }

  #turn(): void {
    this.#windows.push({ atMs: Date.now(), ...waitsOf(this.#delays) })
    if (this.#windows.length > WINDOWS_MAX) this.#windows.shift()
    this.#delays.reset()
  }
}

function waitsOf(delays: ReturnType<typeof monitorEventLoopDelay>): Waits {
  const waitMs = (percentile: number) =>
    Math.max(0, Math.round((delays.percentile(percentile) / 1e6 - RESOLUTION_MS) * 1000) / 1000)
  return { p50Ms: waitMs(50), p99Ms: waitMs(99) }
}
