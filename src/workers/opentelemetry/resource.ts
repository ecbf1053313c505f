import { hostname } from 'node:os'
import { resourceFromAttributes } from '@opentelemetry/resources'
import packageJson from '../../../package.json' with { type: 'json' }
import type { OpenTelemetryConfig } from '../../config/open-telemetry-config.ts'

/** Names this process in traces and metrics (semantic conventions of OpenTelemetry, `service.*`). */
export function resourceOf({ serviceName }: OpenTelemetryConfig) {
  return resourceFromAttributes({
    'service.name': serviceName,
    'service.version': packageJson.version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
}

/** A collector that is away must not delay the end of a node. */
export const EXPORT_MS_MAX = 5_000
