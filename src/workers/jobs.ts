import { randomUUID } from 'node:crypto'
import type { DashboardContext, UploadOptions } from '../http/dashboard-api/context.ts'
import type { RunCheck } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { errorCode, errorMessage } from '../lib/text.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { CheckReport } from '../shared/contract/feed-checks.ts'
import type { ImportReport } from '../shared/contract/imports.ts'
import type { SourceCheck } from '../shared/contract/sources.ts'
import { conflict, type DashboardProblem } from '../shared/dashboard-problem.ts'
import type { Store } from '../store/contracts/store.ts'
import { ImportRefused, recordEndedImport } from '../sync/import/import-file.ts'
import { SpooledFile } from '../sync/import/spooled-file.ts'
import { ChannelClosed, type Payload } from './channel.ts'
import type { CheckJob, CheckLimits, ImportJob, IsolatedOperations, IsolatedParent } from './isolated-operations.ts'
import { type IsolatedProcess, IsolatedProcesses, type ProcessLimits } from './isolated-process.ts'

export interface JobsOptions extends ProcessLimits {
  readonly atOnceMax: number
}

/** The process of a job ended before the job did. */
class JobEnded extends Error {
  override readonly name = 'JobEnded'
}

/** Checks of feeds and imports of files, each in an isolated process, at most so many at once. */
export class Jobs {
  readonly #processes: IsolatedProcesses
  readonly #atOnceMax: number
  #running = 0

  constructor({ atOnceMax, ...limits }: JobsOptions) {
    this.#processes = new IsolatedProcesses(limits)
    this.#atOnceMax = atOnceMax
  }

  get hasRoom(): boolean {
    return this.#running < this.#atOnceMax
  }

  /** Resolves when the job and its process have ended. Throws `DashboardProblem` if there is no room for it. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    if (!this.hasRoom)
      throw conflict(
        `The service imports and checks ${this.#atOnceMax === 1 ? 'one file or feed' : `${this.#atOnceMax} files or feeds`} at a time. Try again when one has finished.`,
      )
    this.#running++
    try {
      return await job()
    } finally {
      this.#running--
    }
  }

  async check(job: CheckJob, signal: AbortSignal, onProgress: IsolatedParent['progress']): Promise<CheckReport> {
    const process = this.#processes.start({ onProgress })
    // A check ends by itself with what it has found.
    return ofProcess(process, 'check', process.run('check', job, { signal, msMax: job.wholeMs + ENDING_MS_MAX }))
  }

  /** Throws `JobEnded`; a manifest that cannot be read results in a report. */
  async manifest(job: Payload<IsolatedOperations['manifest']>): Promise<SourceCheck> {
    const process = this.#processes.start()
    return ofProcess(process, 'check', process.run('manifest', job, { signal: NEVER, msMax: MANIFEST_MS_MAX }))
  }

  /** Throws `ImportRefused`, `JobEnded` or the error of the import; an unreadable file results in a report. */
  async import(job: ImportJob, descriptor: number, signal: AbortSignal): Promise<ImportReport> {
    const process = this.#processes.start({ descriptor })
    const run = process.run('import', job, { signal, msMax: IMPORT_MS_MAX })
    const result = await ofProcess(process, 'import', run)
    if ('refused' in result) throw new ImportRefused(result.refused)
    return result.report
  }

  async close(): Promise<void> {
    await this.#processes.close()
  }
}

/** An import reads for at most 30 minutes; one that runs on was blocked by its file. */
const IMPORT_MS_MAX = 40 * MINUTE_MS
const ENDING_MS_MAX = MINUTE_MS
/** Less than the dashboard waits for an answer. */
const MANIFEST_MS_MAX = 25_000

const NEVER = new AbortController().signal

async function ofProcess<T>(process: IsolatedProcess, task: string, run: Promise<T>): Promise<T> {
  try {
    return await run
  } catch (error) {
    throw error instanceof ChannelClosed ? new JobEnded(await process.whyEnded(task)) : error
  } finally {
    await process.stop()
  }
}

type CheckRunnerOptions = Pick<CheckJob, 'allowPrivate'> &
  Partial<Pick<CheckJob, 'allowedHosts' | 'secrets'> & CheckLimits>

/** A feed of two million slots has about a gigabyte and takes about a minute of one core. */
const CHECK_LIMITS: CheckLimits = { wholeMs: 5 * MINUTE_MS, bytesMax: 2 ** 31 }

/**
 * Checks each feed in a process, with the same rules about private addresses as a sync. Rejects if the process ends; a feed that
 * cannot be read results in a report.
 */
export function checkRunner(jobs: Jobs, runnerOptions: CheckRunnerOptions): RunCheck {
  return async (options, signal, onProgress) => {
    const job = { ...CHECK_LIMITS, secrets: {}, ...runnerOptions, ...options }
    try {
      return await jobs.run(() => jobs.check(job, signal, onProgress))
    } catch (error) {
      throw new Error(`Cannot check ${options.url}: ${errorMessage(error)}`)
    }
  }
}

/** Reads each manifest in a process: it may have 16 MiB, and takes several times as much when it is parsed. */
export function manifestChecker(
  jobs: Jobs,
  options: Pick<CheckRunnerOptions, 'allowPrivate' | 'allowedHosts'>,
): DashboardContext['checkSource'] {
  return async (url) => {
    try {
      return await jobs.run(() => jobs.manifest({ url, ...options }))
    } catch (error) {
      if (!(error instanceof JobEnded)) throw error
      return { ok: false, message: `Cannot read ${url}: ${error.message}.`, files: [] }
    }
  }
}

interface UploadImporterOptions {
  readonly store: Store
  readonly databaseUrl: string
  /** Slots of all sources together. */
  readonly slotsMax?: number | undefined
  /** Maximum size of a file as sent. */
  readonly bytesMax: number
  readonly signal: AbortSignal
  readonly onEvent: (event: LogEvent) => void
}

/** Limits the uncompressed size: this many times the size as sent. */
const UNPACKED_FACTOR = 16

/** Spools each uploaded file to disk, then imports it in a process. */
export function uploadImporter(jobs: Jobs, options: UploadImporterOptions): DashboardContext['importUpload'] {
  return (content, upload) =>
    jobs.run(async () => {
      try {
        return await importOne(jobs, options, { content, upload })
      } catch (error) {
        throw problemOfError(error) ?? error
      }
    })
}

async function importOne(
  jobs: Jobs,
  { store, databaseUrl, slotsMax, bytesMax, signal, onEvent }: UploadImporterOptions,
  { content, upload }: { readonly content: AsyncIterable<Uint8Array>; readonly upload: UploadOptions },
): Promise<ImportReport> {
  await using file = await SpooledFile.spool(content, bytesMax)
  const { slug, fileName, dryRun } = upload
  const startedAtMs = store.now()
  const isNew = (await store.sources.find(slug)) === undefined
  const owner = randomUUID()
  const job = { ...upload, databaseUrl, slotsMax, bytesMax: bytesMax * UNPACKED_FACTOR, owner }
  try {
    const report = await jobs.import(job, file.descriptor, signal)
    if (!dryRun) onEvent(eventOf(report, fileName))
    return report
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error
    const reason = new Error(`Cannot import ${fileName}: ${error.message}`)
    onEvent({ level: 'error', message: 'import process died', fields: { source: slug, error: reason.message } })
    if (!dryRun) await recordEndedImport({ store, clock: store.now }, { slug, isNew, owner, startedAtMs, reason })
    throw conflict(`${reason.message}. Split the file into several sources.`)
  }
}

/** The problem that the uploader can resolve; undefined for an internal error. */
function problemOfError(error: unknown): DashboardProblem | undefined {
  if (error instanceof ImportRefused) return conflict(`${error.message}.`.replace(/\.\.$/, '.'))
  return errorCode(error) === 'ENOSPC' ? conflict(DISK_FULL) : undefined
}

const DISK_FULL = 'The service has no disk space left for the file. Ask the administrator of the server to free some.'

function eventOf({ slug, outcome, error, changes, rejected }: ImportReport, file: string): LogEvent {
  const fields = { source: slug, file, outcome, ...changes, rejected, ...(error !== undefined && { error }) }
  return { level: outcome === 'failed' ? 'warn' : 'info', message: 'file was imported', fields }
}
