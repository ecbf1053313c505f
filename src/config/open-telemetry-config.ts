import type { Values } from './config.ts'

/** Where traces and metrics are exported to by OTLP. */
export interface OpenTelemetryConfig {
  /** Base URL without a trailing slash: `/v1/traces` and `/v1/metrics` are appended. */
  readonly endpoint: string
  /** Secret. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Share of requests without a sampled parent that are traced, from 0 to 1. */
  readonly sampleRatio: number
  readonly metricsEveryMs: number
}

/** Undefined without an endpoint. */
export function openTelemetryConfig(values: Values): { openTelemetry?: OpenTelemetryConfig } {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values
  if (endpoint === undefined) return {}
  return {
    openTelemetry: {
      endpoint,
      headers: values.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: values.OTEL_SERVICE_NAME,
      sampleRatio: values.OTEL_TRACES_SAMPLER_ARG,
      metricsEveryMs: values.OTEL_METRIC_EXPORT_INTERVAL,
    },
  }
}
