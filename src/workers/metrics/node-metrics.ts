import { Counter, Gauge, Registry } from 'prom-client'
import type { NodeCondition } from '../../http/api-context.ts'
import type { NodeHealth } from '../../http/node-query.ts'
import type { MeterTotals } from '../../keys/usage-meter.ts'
import type { SourceGauge } from '../../sync/source-gauge.ts'
import type { SyncCounters } from '../node-telemetry.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { addSources } from './source-metrics.ts'

/** What is metrics of a node. Everything is asked for when somebody looks. */
export interface NodeMetrics {
  readonly health: () => NodeHealth
  readonly condition: () => NodeCondition
  readonly revision: () => number
  /** For how long the database was away, in all. */
  readonly storeUnavailableMs: () => number
  readonly requests: MeterTotals
  readonly syncs: SyncCounters
  readonly sources: () => readonly SourceGauge[]
}

/**
 * The metrics of one node, in Prometheus' names and units. docs/operations.md has a row for each.
 *
 * Requests are those that showed a live key. What is of one thread (heap, event loop) is of the main thread.
 */
export function nodeMetrics(metrics: NodeMetrics): Registry {
  const registry = new Registry()
  addRequests(registry, metrics)
  addIndex(registry, metrics)
  addStore(registry, metrics)
  addSyncs(registry, metrics)
  addSources(registry, metrics.sources)
  addProcess(registry, metrics)
  return registry
}

function addRequests(registry: Registry, { requests }: NodeMetrics): void {
  new Counter({
    name: 'slots_http_requests_total',
    help: 'Requests to /v1 that showed a live key.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset()
      // These are there from the beginning, so that the first of them is an increase.
      for (const status of ['2xx', '4xx', '5xx']) this.inc({ status }, 0)
      for (const [hundreds, count] of requests.requests) this.inc({ status: `${hundreds}xx` }, count)
    },
  })
  const name = 'slots_http_request_duration_seconds'
  const help = 'Time inside the service of the same requests.'
  new LatencyHistogram({ name, help }, registry, () => requests.latencies)
}

function addIndex(registry: Registry, { health, condition, revision }: NodeMetrics): void {
  gauge(registry, 'slots_ready', 'Whether the node may be given traffic.', () =>
    Number(health().ready && !condition().draining),
  )
  gauge(registry, 'slots_index_slots', 'Slots in memory, of any status.', () => health().slots)
  gauge(registry, 'slots_index_revision', 'The revision of the store that is served.', revision)
  gauge(
    registry,
    'slots_index_changed_timestamp_seconds',
    'When the node last took in a change of the slots; 0 before the first.',
    () => (condition().lastChangeAtMs ?? 0) / 1000,
  )
  gauge(registry, 'slots_keys', 'Keys that are let in.', () => health().keys)
}

function addStore(registry: Registry, { condition, storeUnavailableMs }: NodeMetrics): void {
  gauge(registry, 'slots_store_up', 'Whether the database can be asked.', () =>
    Number(condition().store.status === 'ok'),
  )
  counter(
    registry,
    'slots_store_away_seconds_total',
    'For how long it could not.',
    () => storeUnavailableMs() / 1000,
  )
}

function addSyncs(registry: Registry, { syncs }: NodeMetrics): void {
  new Counter({
    name: 'slots_syncs_total',
    help: 'Syncs that this node ran, by how they ended.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { source, outcome, count } of syncs.counts()) this.inc({ source, outcome }, count)
    },
  })
}

function addProcess(registry: Registry, { health }: NodeMetrics): void {
  gauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () => health().memory.rssBytes)
  gauge(registry, 'nodejs_heap_size_used_bytes', 'JavaScript heap in use.', () => health().memory.heapBytes)
  gauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory outside the heap that belongs to objects in it: the slots, mostly.',
    () => health().memory.externalBytes,
  )
  gauge(registry, 'process_start_time_seconds', 'When the node started.', () => health().startedAtMs / 1000)
  counter(registry, 'process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  new Gauge({
    name: 'slots_event_loop_delay_seconds',
    help: 'How long events waited for the main thread, over the last minute.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      const { p50Ms, p99Ms } = health().eventLoop
      this.set({ quantile: '0.5' }, p50Ms / 1000)
      this.set({ quantile: '0.99' }, p99Ms / 1000)
    },
  })
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
