import type { TestContext } from 'node:test'
import type { LogEvent } from '../../../src/lib/log-event.ts'
import { type SyncThreadOptions, startSyncWorker } from '../../../src/workers/sync-worker.ts'

/** Starts the thread and the processes that sync a store, until the test ends. */
export function startSyncs(
  t: TestContext,
  options: Pick<SyncThreadOptions, 'databaseUrl' | 'allowPrivateSources' | 'sourceSecrets'>,
) {
  const events: LogEvent[] = []
  const thread = startSyncWorker(
    { ...options, concurrency: 4, heapMb: 128, processesMax: 8, everyMsDefault: 300_000, retentionMs: 600_000 },
    (event) => events.push(event),
  )
  t.after(() => thread.stop())
  return { thread, events }
}
