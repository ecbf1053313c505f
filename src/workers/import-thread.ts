import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../store/open-store.ts'
import { ImportRefused, importFile } from '../sync/import/import-file.ts'
import { fileOf } from '../sync/import/spooled-file.ts'
import { giveWay } from './lower-priority.ts'
import type { FromImportThread, ImportThreadOptions } from './run-import.ts'

// The entry of a thread that imports one file, and ends; `runImport()` is the way in.

if (parentPort === null) throw new Error('Cannot run the import thread: it must be started as a thread')
const port = parentPort
const { databaseUrl, descriptor, fileName, ...wish }: ImportThreadOptions = workerData

const stopping = new AbortController()
port.on('message', () => stopping.abort(new DOMException('the service is stopping', 'AbortError')))
giveWay()
const post = (message: FromImportThread) => port.postMessage(message)
const store = await openStore(databaseUrl)
try {
  const report = await importFile(
    { store, clock: Date.now, signal: stopping.signal, onBusy: refuseToWait },
    { ...wish, file: fileOf(descriptor, fileName) },
  )
  post({ report })
} catch (fault) {
  if (!(fault instanceof ImportRefused)) throw fault
  post({ refused: fault.message })
} finally {
  await store.close()
  port.close()
}

/** Somebody waits in front of a page: they can try again. */
function refuseToWait(): void {
  throw new ImportRefused('Another import into this source is running. Please try again when it is done.')
}
