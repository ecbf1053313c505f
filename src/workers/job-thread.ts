import type { CheckReport } from '../shared/contract/feed-checks.ts'
import type { CheckJob, ImportJob, JobOperations, JobParent } from './jobs.ts'
import { lowerPriority, openThread } from './thread-entry.ts'

// Thread entry: runs one job, a feed check or a file import. Started by checkRunner() and uploadImporter().

const PROGRESS_EVERY_MS = 250

const { parent, stopping, close } = openThread<JobParent, JobOperations>({
  check: checkFeedOf,
  import: importFileOf,
})
stopping.addEventListener('abort', close)
lowerPriority()

async function checkFeedOf(job: CheckJob, aborted: AbortSignal): Promise<CheckReport> {
  const { url, strict, source, secrets, allowPrivate, allowedHosts, wholeMs, bytesMax } = job
  const timeout = new AbortController()
  const reason = new Error(`a check takes at most ${wholeMs / 60_000} minutes`)
  const timer = setTimeout(() => timeout.abort(reason), wholeMs)
  const signal = AbortSignal.any([aborted, timeout.signal])
  let reportedAtMs = 0
  const onProgress: JobParent['progress'] = (progress) => {
    if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return
    reportedAtMs = Date.now()
    parent.post('progress', progress)
  }
  const options = { signal, bytesMax, onProgress }
  try {
    if (source === undefined) {
      const { checkFeed } = await import('../validator/check-feed.ts')
      const { webFeed } = await import('../validator/web-feed.ts')
      return await checkFeed(webFeed(url, { allowPrivate, allowedHosts }, signal), { ...options, strict })
    }
    const { checkSourceFeed } = await import('../validator/source-feed.ts')
    const secretOf = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined)
    return await checkSourceFeed({ ...source, strict }, { allowPrivate, allowedHosts, secretOf }, options)
  } finally {
    clearTimeout(timer)
  }
}

async function importFileOf(
  { databaseUrl, slotsMax, descriptor, fileName, ...request }: ImportJob,
  aborted: AbortSignal,
) {
  const { openStore } = await import('../store/open-store.ts')
  const { ImportRefused, importFile } = await import('../sync/import/import-file.ts')
  const { fileOf } = await import('../sync/import/spooled-file.ts')
  const stop = new AbortController()
  aborted.addEventListener('abort', () => stop.abort(new DOMException('the service is stopping', 'AbortError')))
  const onBusy = () => {
    throw new ImportRefused('Another import into this source is running. Try again when it is done.')
  }
  const store = await openStore(databaseUrl)
  try {
    const options = { store, clock: Date.now, slotsMax, signal: stop.signal, onBusy }
    return { report: await importFile(options, { ...request, file: fileOf(descriptor, fileName) }) }
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    return { refused: error.message }
  } finally {
    await store.close()
  }
}
