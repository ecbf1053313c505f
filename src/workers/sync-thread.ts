import { once } from 'node:events'
import { connectorsOf } from '../feeds/connectors.ts'
import type { Store } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { retryUntilAvailable } from '../store/retry-until-available.ts'
import { HealthWatch } from '../sync/health-watch.ts'
import { Scheduler } from '../sync/scheduler.ts'
import type { SyncDependencies } from '../sync/sync-source.ts'
import type { ThreadOperations } from './supervised-worker.ts'
import type { SyncParent, SyncThreadOptions } from './sync-worker.ts'
import { lowerPriority, openThread, threadOptions } from './thread-entry.ts'

// Thread entry: syncs the sources. Started by startSyncWorker().

const options = threadOptions<SyncThreadOptions>()
const { parent, stopping, onEvent, close } = openThread<SyncParent, ThreadOperations>({})

if (!lowerPriority()) onEvent({ level: 'info', message: 'sync thread priority not lowered', fields: {} })
const store = await retryUntilAvailable(() => openStore(options.databaseUrl), { onEvent, signal: stopping })
if (store !== undefined) {
  const scheduler = new Scheduler(optionsOf(store), onEvent, options)
  const onGauges: SyncParent['setGauges'] = (gauges) => parent.post('setGauges', gauges)
  const watch = new HealthWatch({ store, clock: Date.now, onEvent, onGauges })
  scheduler.start()
  watch.start()
  if (!stopping.aborted) await once(stopping, 'abort')
  await watch.stop()
  await scheduler.stop()
  await store.close()
}
close()

function optionsOf(store: Store): SyncDependencies {
  const { everyMsDefault, slotsMax } = options
  return { store, connectorOf: connectorsOf(options), clock: Date.now, random: Math.random, everyMsDefault, slotsMax }
}
