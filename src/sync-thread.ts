import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { connectorsOf } from './connectors.ts'
import { openStore } from './store/open-store.ts'
import { Scheduler } from './sync/scheduler.ts'
import type { SyncThreadOptions } from './sync/start-sync-thread.ts'

// The entry of the sync thread; `startSyncThread()` is the way in.

if (parentPort === null) throw new Error('Cannot run the sync thread: it must be started as a thread')
const port = parentPort
const options: SyncThreadOptions = workerData

giveWay()
const store = await openStore(options.databaseUrl)
const parts = {
  store,
  connectorOf: connectorsOf(options),
  clock: Date.now,
  random: Math.random,
  everyMsDefault: options.everyMsDefault,
}
const scheduler = new Scheduler(parts, (event) => port.postMessage(event), options)
port.once('message', async () => {
  await scheduler.stop()
  await store.close()
  port.close()
})
scheduler.start()

/**
 * Answers come before syncs. On Linux a priority is the calling thread's alone (setpriority(2), "C library/kernel
 * differences"); elsewhere it would be the whole process's, so there it stays as it is. Refused in some containers,
 * which does no harm.
 */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    port.postMessage({ level: 'info', message: 'priority of the sync thread stayed as it was', fields: {} })
  }
}
