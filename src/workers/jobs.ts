import { Worker } from 'node:worker_threads'
import type { AllowedHosts } from '../feeds/http/allowed-hosts.ts'
import type { DashboardContext, UploadOptions } from '../http/dashboard-api/context.ts'
import type { CheckedSource, RunCheck } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorMessage } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { CheckProgress, CheckReport } from '../shared/contract/feed-checks.ts'
import type { ImportReport } from '../shared/contract/imports.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { type ImportOptions, ImportRefused } from '../sync/import/import-file.ts'
import { SpooledFile } from '../sync/import/spooled-file.ts'
import { Channel, ChannelClosed } from './channel.ts'
import type { ParentOperations, ThreadOperations } from './supervised-worker.ts'

/** What a job thread does for the thread that started it: one of these, once. */
export interface JobOperations extends ThreadOperations {
  /** Aborted, it replies with what it has found so far. */
  check(job: CheckJob): CheckReport
  import(job: ImportJob): { readonly report: ImportReport } | { readonly refused: string }
}

export interface JobParent extends ParentOperations {
  progress(progress: CheckProgress): void
}

export interface CheckJob extends CheckLimits {
  readonly url: string
  readonly strict: boolean
  readonly allowPrivate: boolean
  readonly allowedHosts?: AllowedHosts
  /** The source to check instead of the URL alone. */
  readonly source?: CheckedSource
  /** The values of `${SOURCE_…}` in its runnerOptions. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A check that reaches a limit ends with what it has found so far. */
export interface CheckLimits {
  readonly wholeMs: number
  /** Of all files, uncompressed. */
  readonly bytesMax: number
}

/** The file is an open descriptor of this process. */
export interface ImportJob extends Omit<ImportOptions, 'file'> {
  readonly databaseUrl: string
  /** Slots of all sources together. */
  readonly slotsMax?: number | undefined
  readonly descriptor: number
  readonly fileName: string
}

export type CheckRunnerOptions = Pick<CheckJob, 'allowPrivate'> &
  Partial<Pick<CheckJob, 'allowedHosts' | 'secrets'> & CheckLimits>

/** A feed of two million slots has about a gigabyte and takes about a minute of one core. */
const CHECK_LIMITS: CheckLimits = { wholeMs: 5 * MINUTE_MS, bytesMax: 2 ** 31 }

/** An aborted job that does not end is killed. An import that was not committed leaves nothing behind. */
const ABORT_MS_MAX = 8000

/** The directory of a feed takes at most 256 MiB of resources, reduced. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1536, maxYoungGenerationSizeMb: 16 }

/**
 * Checks each feed in a separate thread, with the same rules about private addresses as a sync. Rejects if the thread dies; a
 * feed that cannot be read results in a report.
 */
export function checkRunner(runnerOptions: CheckRunnerOptions): RunCheck {
  return async (options, signal, onProgress) => {
    const job = { ...CHECK_LIMITS, secrets: {}, ...runnerOptions, ...options }
    try {
      return await runInThread((channel) => channel.request('check', job, { signal }), signal, onProgress)
    } catch (error) {
      const reason = error instanceof ChannelClosed ? 'it took too much time or memory' : errorMessage(error)
      throw new Error(`Cannot check ${options.url}: ${reason}`)
    }
  }
}

/** Imports a file in a separate thread. Throws `ImportRefused` or the thread's error; an unreadable file results in a report. */
async function runImport(job: ImportJob, signal: AbortSignal): Promise<ImportReport> {
  const result = await runInThread((channel) => channel.request('import', job, { signal }), signal)
  if ('refused' in result) throw new ImportRefused(result.refused)
  return result.report
}

async function runInThread<T>(
  run: (channel: Channel<JobOperations, JobParent>) => Promise<T>,
  signal: AbortSignal,
  progress: JobParent['progress'] = () => {},
): Promise<T> {
  const worker = new Worker(new URL('./job-thread.ts', import.meta.url), { resourceLimits: RESOURCE_LIMITS })
  const channel = new Channel<JobOperations, JobParent>(worker, { progress, log: () => {} })
  const kill = () => setTimeout(() => void worker.terminate(), ABORT_MS_MAX).unref()
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill)
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.once('error', reject)
      run(channel).then(resolve, reject)
    })
  } finally {
    signal.removeEventListener('abort', kill)
    channel.post('stop', undefined)
  }
}

interface UploadImporterOptions {
  readonly databaseUrl: string
  /** Slots of all sources together. */
  readonly slotsMax?: number
  /** Maximum size of a file as sent. */
  readonly bytesMax: number
  readonly signal: AbortSignal
  readonly onEvent: (event: LogEvent) => void
}

/** Concurrent imports: each occupies disk space, a core and the store's write lock. */
const UPLOADS_MAX = 2

/** Limits the uncompressed size: this many times the size as sent. */
const UNPACKED_FACTOR = 16

/** Spools each uploaded file to disk, then imports it in a separate thread. */
export function uploadImporter(options: UploadImporterOptions): DashboardContext['importUpload'] {
  let running = 0
  return async (content, upload) => {
    if (running >= UPLOADS_MAX)
      throw new DashboardProblem(
        'conflict',
        `${UPLOADS_MAX} files are already being imported. Try again when one has finished.`,
      )
    running++
    try {
      return await importOne(options, content, upload)
    } catch (error) {
      throw problemOfError(error) ?? error
    } finally {
      running--
    }
  }
}

async function importOne(
  { databaseUrl, slotsMax, bytesMax, signal, onEvent }: UploadImporterOptions,
  content: AsyncIterable<Uint8Array>,
  upload: UploadOptions,
): Promise<ImportReport> {
  await using file = await SpooledFile.spool(content, bytesMax)
  const { descriptor } = file
  const report = await runImport(
    { ...upload, databaseUrl, slotsMax, descriptor, bytesMax: bytesMax * UNPACKED_FACTOR },
    signal,
  )
  if (!report.dryRun) onEvent(eventOf(report, upload.fileName))
  return report
}

/** The problem that the uploader can resolve; undefined for an internal error. */
function problemOfError(error: unknown): DashboardProblem | undefined {
  if (error instanceof ImportRefused) return new DashboardProblem('conflict', `${error.message}.`.replace(/\.\.$/, '.'))
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const message = RESOURCE_PROBLEMS.get(code)
  return message === undefined ? undefined : new DashboardProblem('conflict', message)
}

const RESOURCE_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'The service has no disk space left for the file. Ask the administrator of the server to free some.'],
  ['ERR_WORKER_OUT_OF_MEMORY', 'The file needs more memory than an import may use. Split it into several sources.'],
])

function eventOf({ slug, outcome, error, changes, rejected }: ImportReport, file: string): LogEvent {
  const fields = { source: slug, file, outcome, ...changes, rejected, ...(error !== undefined && { error }) }
  return { level: outcome === 'failed' ? 'warn' : 'info', message: 'file was imported', fields }
}
