import type { Server } from 'node:http'
import type { Config } from '../config/config.ts'
import type { NodeMetrics } from './metrics/node-metrics.ts'
import { exportMetrics, traceRequests } from './opentelemetry/open-telemetry.ts'

/** Serves metrics, and exports metrics and traces, as configured. The libraries are loaded only if they are used. */
export async function startMonitoring(
  { host, metricsPort: port, openTelemetry }: Pick<Config, 'host' | 'metricsPort' | 'openTelemetry'>,
  { server, metrics }: { readonly server: Server; readonly metrics: NodeMetrics },
): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  if (port !== undefined) {
    const { MetricsServer } = await import('./metrics/metrics-server.ts')
    started.adopt(await MetricsServer.start({ host, port }, metrics), (each) => each.stop())
  }
  if (openTelemetry !== undefined) {
    started.adopt(await traceRequests(openTelemetry, server), (each) => each.stop())
    started.adopt(await exportMetrics(openTelemetry, metrics), (each) => each.stop())
  }
  return started.move()
}
