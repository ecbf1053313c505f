import type { LogEvent } from '../lib/log-event.ts'
import type { SourceGauge } from '../sync/source-gauge.ts'
import { type SupervisedThread, superviseThread } from './supervised-worker.ts'

/** What the sync thread is told at its start. */
export interface SyncThreadOptions {
  readonly databaseUrl: string
  /** Let feeds be read from private and loopback addresses. */
  readonly allowPrivateSources: boolean
  /** What `${SOURCE_…}` stands for in the options of sources, by name; without it, nothing. */
  readonly sourceSecrets?: Readonly<Record<string, string>>
  /** Sources that are read at once. */
  readonly concurrency: number
  /** How often a source is read when neither the operator nor its publisher says. */
  readonly everyMsDefault: number
  /** How long the dead stay for those who follow. */
  readonly retentionMs: number
}

/** What the sync thread tells. */
export type FromSyncThread = LogEvent | { readonly gauges: readonly SourceGauge[] }

/**
 * Starts the thread that syncs every source when it is due, with a store of its own and at a lower priority than the
 * thread that answers callers. A thread that dies is started again, with a pause that grows, and `onEvent` hears of it.
 * `onGauges` hears every few seconds how all sources do.
 */
export function startSyncThread(
  options: SyncThreadOptions,
  onEvent: (event: LogEvent) => void,
  onGauges: (gauges: readonly SourceGauge[]) => void = () => undefined,
): SupervisedThread {
  return superviseThread(new URL('./sync-thread.ts', import.meta.url), {
    workerData: () => options,
    attach: (worker) =>
      worker.on('message', (told: FromSyncThread) =>
        'gauges' in told ? onGauges(told.gauges) : onEvent(told),
      ),
    onEvent,
  })
}
