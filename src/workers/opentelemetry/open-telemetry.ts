import type { Server } from 'node:http'
import type { OpenTelemetryConfig } from '../../config/open-telemetry-config.ts'
import type { NodeMetrics } from '../metrics/node-metrics.ts'

/** An export that is running. */
export interface Exporting {
  /** Exports what is left, for a few seconds at most. */
  stop(): Promise<void>
}

// The libraries are loaded only where they are used: a node without a collector does not pay for them.

/** Traces requests of a server. */
export async function traceRequests(config: OpenTelemetryConfig, server: Server): Promise<Exporting> {
  const { RequestTracing } = await import('./request-tracing.ts')
  const tracing = new RequestTracing(config)
  server.prependListener('request', tracing.onRequest)
  return tracing
}

/** Exports the metrics of a node. */
export async function exportMetrics(config: OpenTelemetryConfig, metrics: NodeMetrics): Promise<Exporting> {
  const { MetricExport } = await import('./metric-export.ts')
  return new MetricExport(config, metrics)
}
