import { once } from 'node:events'
import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { HealthWatch } from '../sync/health-watch.ts'
import { Scheduler } from '../sync/scheduler.ts'
import type { ThreadOperations } from './supervised-worker.ts'
import { SyncProcesses } from './sync-processes.ts'
import type { SyncParent, SyncThreadOptions } from './sync-worker.ts'
import { lowerPriority, openThread, threadOptions } from './thread-entry.ts'

// Thread entry: schedules the syncs, which run in processes. Started by startSyncWorker().

const options = threadOptions<SyncThreadOptions>()
const { parent, stopping, onEvent, close } = openThread<SyncParent, ThreadOperations>({})

if (!lowerPriority()) onEvent({ level: 'info', message: 'sync thread priority not lowered', fields: {} })
const store = await retryUntilAvailable(() => openStore(options.databaseUrl), { onEvent, signal: stopping })
if (store !== undefined) {
  const { concurrency, retentionMs, ...processOptions } = options
  const dependencies = { ...processOptions, store, clock: store.now, random: Math.random }
  const processes = new SyncProcesses(dependencies, processOptions, onEvent)
  const sync = (slug: string, signal: AbortSignal) => processes.sync(slug, signal)
  const scheduler = new Scheduler({ store, clock: store.now, sync }, onEvent, {
    concurrency,
    retentionMs,
    syncsMax: options.processesMax,
  })
  const onGauges: SyncParent['setGauges'] = (gauges) => parent.post('setGauges', gauges)
  const watch = new HealthWatch({ store, clock: store.now, onEvent, onGauges })
  scheduler.start()
  watch.start()
  if (!stopping.aborted) await once(stopping, 'abort')
  await watch.stop()
  await scheduler.stop()
  await processes.close()
  await store.close()
}
close()
