import { Counter, Gauge, Histogram, type MetricType, type MetricValueWithName, Registry } from 'prom-client'
import type { NodeCondition } from '../../http/api-context.ts'
import type { NodeHealth } from '../../http/node-query.ts'
import type { OpenFeedTotals } from '../../http/open-feed/open-feed-counts.ts'
import type { RefusalCounters } from '../../http/refusals.ts'
import type { MeterTotals } from '../../keys/usage-meter.ts'
import { LATENCY_BOUNDS_US } from '../../lib/latency-histogram.ts'
import type { SourceGauge } from '../../sync/health-watch.ts'
import type { SyncCounters } from '../node-telemetry.ts'
import type { DeliveryGauges } from '../subscriptions-worker.ts'

/** The values behind a node's metrics, read at each scrape. */
export interface NodeMetrics {
  readonly health: () => NodeHealth
  readonly condition: () => NodeCondition
  readonly revision: () => number
  /** Total time of database unavailability. */
  readonly storeUnavailableMs: () => number
  readonly requests: MeterTotals
  readonly syncs: SyncCounters
  readonly sources: () => readonly SourceGauge[]
  /** False while `AUDIT_LOG` cannot be written. */
  readonly isAuditLogUp: () => boolean
  readonly refusals: RefusalCounters
  readonly openFeed: OpenFeedTotals
  readonly deliveries: () => DeliveryGauges
}

/**
 * The metrics of one node, with the names and units of Prometheus. docs/monitoring.md has a row for each.
 *
 * Requests are those with an active key. Heap and event loop are the main thread's.
 */
export function nodeMetrics(metrics: NodeMetrics): Registry {
  const registry = new Registry()
  addRequests(registry, metrics)
  addIndex(registry, metrics)
  addStore(registry, metrics)
  addSyncs(registry, metrics)
  addSources(registry, metrics.sources)
  addDeliveries(registry, metrics.deliveries)
  addProcess(registry, metrics)
  return registry
}

function addRequests(registry: Registry, { requests, refusals, openFeed }: NodeMetrics): void {
  counter(registry, 'slots_http_requests_total', 'Requests to /v1 with an active key.', {
    labels: ['status'],
    *read() {
      // Start at 0, so that the first request is an increase.
      for (const status of ['2xx', '4xx', '5xx']) yield [{ status }, 0]
      for (const [hundreds, count] of requests.requests) yield [{ status: `${hundreds}xx` }, count]
    },
  })
  counter(registry, 'slots_open_feed_requests_total', 'Requests to the open feed.', {
    labels: ['status'],
    *read() {
      for (const [hundreds, count] of openFeed.counts) yield [{ status: `${hundreds}xx` }, count]
    },
  })
  counter(registry, 'slots_http_refused_total', 'Requests answered with 401, 403, 404 (organizations) or 429.', {
    labels: ['status', 'reason'],
    *read() {
      for (const { status, reason, count } of refusals.counts()) yield [{ status, reason }, count]
    },
  })
  counter(registry, 'slots_referrals_total', 'Redirects to the booking pages of each publisher.', {
    labels: ['source'],
    *read() {
      for (const [source, count] of requests.referrals) yield [{ source }, count]
    },
  })
  const name = 'slots_http_request_duration_seconds'
  const help = 'Time inside the service for the same requests.'
  new LatencyHistogram({ name, help }, registry, () => requests.latencies)
}

function addIndex(registry: Registry, { health, condition, revision }: NodeMetrics): void {
  gauge(registry, 'slots_ready', 'Whether the node is ready for traffic.', () =>
    Number(health().ready && !condition().draining),
  )
  gauge(registry, 'slots_index_slots', 'Slots in memory, of any status.', () => health().slots)
  gauge(
    registry,
    'slots_index_missing_slots',
    'Slots of the store that do not fit into memory.',
    () => condition().memory?.missingSlots ?? 0,
  )
  gauge(
    registry,
    'slots_memory_max_bytes',
    'Memory that the process may use; 0 if unknown.',
    () => condition().memory?.maxBytes ?? 0,
  )
  gauge(registry, 'slots_index_revision', 'The store revision of the slots in memory.', revision)
  gauge(
    registry,
    'slots_index_changed_timestamp_seconds',
    'When the node last applied a change; 0 before the first.',
    () => (condition().lastChangeAtMs ?? 0) / 1000,
  )
  gauge(registry, 'slots_keys', 'Active keys.', () => health().keys)
}

function addStore(registry: Registry, { condition, storeUnavailableMs, isAuditLogUp }: NodeMetrics): void {
  gauge(registry, 'slots_audit_log_up', 'Whether the audit log stream can be written.', () => Number(isAuditLogUp()))
  gauge(registry, 'slots_store_up', 'Whether the database is available.', () =>
    Number(condition().store.status === 'ok'),
  )
  counter(
    registry,
    'slots_store_unavailable_seconds_total',
    'Total time of database unavailability.',
    () => storeUnavailableMs() / 1000,
  )
}

function addSyncs(registry: Registry, { syncs }: NodeMetrics): void {
  counter(registry, 'slots_syncs_total', 'Syncs run by this node, by outcome.', {
    labels: ['source', 'outcome'],
    *read() {
      for (const { source, outcome, count } of syncs.counts()) yield [{ source, outcome }, count]
    },
  })
}

function addDeliveries(registry: Registry, deliveries: () => DeliveryGauges): void {
  counter(registry, 'slots_deliveries_total', 'Attempts of this node to deliver events of subscriptions.', {
    labels: ['outcome'],
    *read() {
      const { delivered, failed } = deliveries()
      yield [{ outcome: 'delivered' }, delivered]
      yield [{ outcome: 'failed' }, failed]
    },
  })
  gauge(registry, 'slots_deliveries_in_flight', 'Attempts of this node now.', () => deliveries().inFlight)
  gauge(registry, 'slots_events_queued', 'Events that wait for their delivery.', () => deliveries().queued)
  gauge(
    registry,
    'slots_events_oldest_timestamp_seconds',
    'When the oldest of them was created, without those of failing receivers; 0 if there is none.',
    () => (deliveries().oldestAtMs ?? 0) / 1000,
  )
}

function addProcess(registry: Registry, { health }: NodeMetrics): void {
  gauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () => health().memory.rssBytes)
  gauge(registry, 'nodejs_heap_size_used_bytes', 'JavaScript heap in use.', () => health().memory.heapBytes)
  gauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory outside the heap that is owned by JavaScript objects, mostly slots.',
    () => health().memory.externalBytes,
  )
  gauge(registry, 'process_start_time_seconds', 'When the node started.', () => health().startedAtMs / 1000)
  counter(registry, 'process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge(registry, 'slots_event_loop_delay_seconds', 'Event-loop delay of the main thread over the last minute.', {
    labels: ['quantile'],
    *read() {
      const { p50Ms, p99Ms } = health().eventLoop
      yield [{ quantile: '0.5' }, p50Ms / 1000]
      yield [{ quantile: '0.99' }, p99Ms / 1000]
    },
  })
}

/** The series of a metric, read at each scrape: one without labels, or each with its labels. */
type Series =
  | (() => number)
  | {
      readonly labels: readonly string[]
      read(): Iterable<[labels: Record<string, string>, value: number]>
    }

function gauge(registry: Registry, name: string, help: string, series: Series): void {
  const { labels, read } = labeled(series)
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset()
      for (const [each, value] of read()) this.set(each, value)
    },
  })
}

function counter(registry: Registry, name: string, help: string, series: Series): void {
  const { labels, read } = labeled(series)
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset()
      for (const [each, value] of read()) this.inc(each, value)
    },
  })
}

function labeled(series: Series): Exclude<Series, () => number> {
  return typeof series === 'function' ? { labels: [], read: () => [[{}, series()]] } : series
}

const US_PER_S = 1_000_000

/**
 * A histogram of requests that were counted elsewhere by bucket of `LATENCY_BOUNDS_US`, instead of observed one by one.
 *
 * The sum is estimated from the middles of the buckets, so a mean is accurate to about a quarter.
 */
class LatencyHistogram extends Histogram {
  readonly #form: { readonly name: string; readonly help: string }
  readonly #counts: () => ArrayLike<number>

  constructor(form: { name: string; help: string }, registry: Registry, counts: () => ArrayLike<number>) {
    super({ ...form, registers: [registry] })
    this.#form = form
    this.#counts = counts
  }

  /** Called by the registry at each scrape. */
  getForPromString() {
    return this.get()
  }

  override async get() {
    const type = 'histogram' as unknown as MetricType
    return { ...this.#form, type, aggregator: 'sum' as const, collect: () => undefined, values: [...this.#values()] }
  }

  *#values(): Generator<MetricValueWithName<string>> {
    const { name } = this.#form
    const counts = this.#counts()
    let count = 0
    let sumUs = 0
    for (let bucket = 0; bucket < counts.length; bucket++) {
      count += counts[bucket]
      sumUs += counts[bucket] * middleUs(bucket)
      const le = bucket < LATENCY_BOUNDS_US.length ? LATENCY_BOUNDS_US[bucket] / US_PER_S : '+Inf'
      yield { metricName: `${name}_bucket`, labels: { le }, value: count }
    }
    yield { metricName: `${name}_sum`, labels: {}, value: sumUs / US_PER_S }
    yield { metricName: `${name}_count`, labels: {}, value: count }
  }
}

/** The middle of a bucket, or the lower bound of the open one. */
function middleUs(bucket: number): number {
  const lower = bucket === 0 ? 0 : LATENCY_BOUNDS_US[bucket - 1]
  return bucket < LATENCY_BOUNDS_US.length ? (lower + LATENCY_BOUNDS_US[bucket]) / 2 : lower
}

/** The metrics of each source, from the store: equal on every node within seconds. An unknown time has no series. */
export function addSources(registry: Registry, sources: () => readonly SourceGauge[]): void {
  gauge(registry, 'slots_source_health', '1 for the current health of each source.', {
    labels: ['source', 'health'],
    *read() {
      for (const { slug, health } of sources()) yield [{ source: slug, health }, 1]
    },
  })
  const add = (name: string, help: string, read: (source: SourceGauge) => number | undefined) =>
    gauge(registry, name, help, {
      labels: ['source'],
      *read() {
        for (const source of sources()) {
          const value = read(source)
          if (value !== undefined) yield [{ source: source.slug }, value]
        }
      },
    })
  add('slots_source_slots', 'Slots of the current snapshot.', ({ slots }) => slots)
  add('slots_source_rejected_lines', 'Rejected lines of the current snapshot.', ({ rejected }) => rejected)
  add('slots_source_looked_timestamp_seconds', 'The last successful check.', (source) =>
    inSeconds(source.lastCheckedAtMs),
  )
  add('slots_source_published_timestamp_seconds', "The publisher's timestamp of the data.", (source) =>
    inSeconds(source.publishedAtMs),
  )
  add('slots_source_changed_timestamp_seconds', 'The last change.', (source) => inSeconds(source.changedAtMs))
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}
