import type { CheckReport } from '../shared/contract/feed-checks.ts'
import { openStore } from '../store/open-store.ts'
import { ImportRefused, importFile } from '../sync/import/import-file.ts'
import { fileOf } from '../sync/import/spooled-file.ts'
import { checkFeed } from '../validator/check-feed.ts'
import { checkSourceFeed } from '../validator/source-feed.ts'
import { webFeed } from '../validator/web-feed.ts'
import {
  type CheckJob,
  FILE_DESCRIPTOR,
  type ImportJob,
  type IsolatedOperations,
  type IsolatedParent,
} from './isolated-operations.ts'

const PROGRESS_EVERY_MS = 250

/** Checks a feed. A feed that cannot be read results in a report. */
export async function checkFeedOf(
  job: CheckJob,
  aborted: AbortSignal,
  progress: IsolatedParent['progress'],
): Promise<CheckReport> {
  const { url, strict, profile, source, secrets, allowPrivate, allowedHosts, wholeMs, bytesMax } = job
  const timeout = new AbortController()
  const reason = new Error(`a check takes at most ${wholeMs / 60_000} minutes`)
  const timer = setTimeout(() => timeout.abort(reason), wholeMs)
  const signal = AbortSignal.any([aborted, timeout.signal])
  const options = { signal, profile, bytesMax, onProgress: atMostEvery(PROGRESS_EVERY_MS, progress) }
  try {
    if (source === undefined)
      return await checkFeed(webFeed(url, { allowPrivate, allowedHosts }, signal), { ...options, strict })
    const reach = { allowPrivate, allowedHosts, sourceSecrets: secrets }
    return await checkSourceFeed({ ...source, strict }, reach, options)
  } finally {
    clearTimeout(timer)
  }
}

/** Imports the inherited file. */
export async function importFileOf(
  { databaseUrl, slotsMax, fileName, ...request }: ImportJob,
  aborted: AbortSignal,
): Promise<ReturnType<IsolatedOperations['import']>> {
  const stop = new AbortController()
  aborted.addEventListener('abort', () => stop.abort(new DOMException('the service is stopping', 'AbortError')))
  const onBusy = () => {
    throw new ImportRefused('Another import into this source is running. Try again when it is done.')
  }
  const store = await openStore(databaseUrl)
  try {
    const options = { store, clock: store.now, slotsMax, signal: stop.signal, onBusy }
    return { report: await importFile(options, { ...request, file: fileOf(FILE_DESCRIPTOR, fileName) }) }
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    return { refused: error.message }
  } finally {
    await store.close()
  }
}

function atMostEvery<T>(ms: number, act: (value: T) => void): (value: T) => void {
  let lastAtMs = 0
  return (value) => {
    if (Date.now() - lastAtMs < ms) return
    lastAtMs = Date.now()
    act(value)
  }
}
