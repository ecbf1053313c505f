import type { AllowedHosts } from '../feeds/http/allowed-hosts.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { SourceGauge } from '../sync/health-watch.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'

export interface SyncThreadOptions {
  readonly databaseUrl: string
  /** Whether feeds may be read from private and loopback addresses. */
  readonly allowPrivateSources: boolean
  readonly allowedSourceHosts?: AllowedHosts
  /** The values of `${SOURCE_…}` in the options of sources, by name. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
  /** How many sources are read at once. */
  readonly concurrency: number
  /** How often a source is read if neither the operator nor its publisher sets an interval. */
  readonly everyMsDefault: number
  /** Slots of all sources together. */
  readonly slotsMax?: number
  /** How long deleted row versions are kept for nodes that tail the change log. */
  readonly retentionMs: number
}

export interface SyncParent extends ParentOperations {
  setGauges(gauges: readonly SourceGauge[]): void
}

/**
 * Starts the thread that syncs every source when it is due, with its own store connection and at a lower priority than the threads
 * that serve requests. `onGauges` receives the state of all sources every few seconds.
 */
export function startSyncWorker(
  options: SyncThreadOptions,
  onEvent: (event: LogEvent) => void,
  onGauges: (gauges: readonly SourceGauge[]) => void = () => undefined,
): SupervisedWorker<ThreadOperations, SyncParent> {
  return new SupervisedWorker(new URL('./sync-thread.ts', import.meta.url), {
    workerData: () => options,
    attach: () => ({ setGauges: onGauges }),
    onEvent,
  })
}
