import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { connectorsOf } from '../feeds/connectors.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { retryUntilAvailable } from '../lib/retry-until-available.ts'
import { type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { openStore } from '../store/open-store.ts'
import { HealthWatch } from '../sync/health-watch.ts'
import { Scheduler } from '../sync/scheduler.ts'
import type { SyncParts } from '../sync/sync-source.ts'
import { giveWay } from './lower-priority.ts'
import type { FromSyncThread, SyncThreadOptions } from './start-sync-thread.ts'

// The entry of the sync thread; `startSyncThread()` is the way in.

if (parentPort === null) throw new Error('Cannot run the sync thread: it must be started as a thread')
const port = parentPort
const options: SyncThreadOptions = workerData

const stopping = new AbortController()
const tell = (told: FromSyncThread) => port.postMessage(told)
const onEvent = (event: LogEvent) => tell(event)
port.on('message', () => stopping.abort())
if (!giveWay())
  onEvent({ level: 'info', message: 'priority of the sync thread stayed as it was', fields: {} })
const store = await retryUntilAvailable(() => openStore(options.databaseUrl), {
  name: 'store',
  isUnavailable: (error) => error instanceof StoreUnavailable,
  onEvent,
  signal: stopping.signal,
})
if (store !== undefined) {
  const scheduler = new Scheduler(partsOf(store), onEvent, options)
  const watch = new HealthWatch({ store, clock: Date.now, onEvent, onGauges: (gauges) => tell({ gauges }) })
  scheduler.start()
  watch.start()
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  await watch.stop()
  await scheduler.stop()
  await store.close()
}
port.close()

function partsOf(store: Store): SyncParts {
  const { everyMsDefault } = options
  return { store, connectorOf: connectorsOf(options), clock: Date.now, random: Math.random, everyMsDefault }
}
