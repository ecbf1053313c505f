import type { LogEvent } from '../lib/log-event.ts'
import type { SourceGauge } from '../sync/health-watch.ts'
import { type ParentOperations, SupervisedWorker, type ThreadOperations } from './supervised-worker.ts'
import type { SyncProcessOptions } from './sync-processes.ts'

export interface SyncThreadOptions extends SyncProcessOptions {
  /** How many sources are read at once. */
  readonly concurrency: number
  /** How long deleted row versions are kept for nodes that tail the change log. */
  readonly retentionMs: number
}

export interface SyncParent extends ParentOperations {
  setGauges(gauges: readonly SourceGauge[]): void
}

/**
 * Starts the thread that has every source synced when it is due, with its own store connection. The syncs run in processes with a lower
 * priority than the threads that serve requests. `onGauges` receives the state of all sources every few seconds.
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
