import { type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { OpenTelemetryConfig } from '../../config/open-telemetry-config.ts'
import { type NodeMetrics, nodeMetrics } from '../metrics/node-metrics.ts'
import { EXPORT_MS_MAX, resourceOf } from './resource.ts'

/** Exports the metrics of docs/monitoring.md by OTLP over HTTP, under the same names. */
export class MetricExport {
  readonly #provider: MeterProvider

  constructor(config: OpenTelemetryConfig, metrics: NodeMetrics) {
    const { endpoint, headers, metricsEveryMs } = config
    const resource = resourceOf(config)
    const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers, timeoutMillis: EXPORT_MS_MAX })
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis: metricsEveryMs,
      exportTimeoutMillis: Math.min(metricsEveryMs, EXPORT_MS_MAX),
      metricProducers: [new RegistryProducer(nodeMetrics(metrics), resource)],
    })
    this.#provider = new MeterProvider({ resource, readers: [reader] })
  }

  /** Exports the last values. */
  async stop(): Promise<void> {
    await this.#provider.shutdown().catch(() => undefined)
  }
}

type PrometheusMetric = MetricObjectWithValues<MetricValue<string>>

/** Reads a Prometheus registry as metrics of OpenTelemetry. */
class RegistryProducer implements MetricProducer {
  readonly #registry: Registry
  readonly #resource: Resource
  readonly #startTime = millisToHrTime(Date.now() - performance.now())

  constructor(registry: Registry, resource: Resource) {
    this.#registry = registry
    this.#resource = resource
  }

  async collect(): Promise<CollectionResult> {
    const all = (await this.#registry.getMetricsAsJSON()) as PrometheusMetric[]
    const times = { startTime: this.#startTime, endTime: millisToHrTime(Date.now()) }
    const metrics = all.map((metric) => metricData(metric, times))
    const scopeMetrics = [{ scope: { name: 'scheduling-slots' }, metrics }]
    return { resourceMetrics: { resource: this.#resource, scopeMetrics }, errors: [] }
  }
}

function metricData(metric: PrometheusMetric, times: { startTime: HrTime; endTime: HrTime }): MetricData {
  const { name, help: description } = metric
  // The values of `MetricType` are absent from the types of prom-client at run time.
  const type = String(metric.type)
  const common = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram') {
    const dataPoints = [{ ...times, attributes: {}, value: histogramOf(metric) }]
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = metric.values.map(({ labels, value }) => ({
    ...times,
    attributes: labels as Record<string, string>,
    value,
  }))
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus counts what is at most a bound; OpenTelemetry what is between two. */
function histogramOf({ name, values }: PrometheusMetric): Histogram {
  const series = values as readonly (MetricValue<string> & { readonly metricName?: string })[]
  const buckets = series.filter(({ metricName }) => metricName === `${name}_bucket`)
  const total = (suffix: string) => series.find(({ metricName }) => metricName === name + suffix)?.value ?? 0
  return {
    buckets: {
      boundaries: buckets.slice(0, -1).map(({ labels }) => Number(labels.le)),
      counts: buckets.map(({ value }, n) => value - (n === 0 ? 0 : buckets[n - 1].value)),
    },
    sum: total('_sum'),
    count: total('_count'),
  }
}
