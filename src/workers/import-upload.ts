import type { DashboardContext, UploadOptions } from '../http/dashboard-api/context.ts'
import type { LogEvent } from '../lib/log-event.ts'
import type { ImportReport } from '../shared/contract/imports.ts'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { ImportRefused } from '../sync/import/import-file.ts'
import { SpooledFile } from '../sync/import/spooled-file.ts'
import { runImport } from './jobs.ts'

export interface UploadParts {
  readonly databaseUrl: string
  /** Of a file as it comes. */
  readonly bytesMax: number
  readonly signal: AbortSignal
  readonly onEvent: (event: LogEvent) => void
}

/** Files at once: what they take is disk, a core each, and the store's turn to write. */
const UPLOADS_MAX = 2

/** What is packed well may grow so much. */
const UNPACKED_FACTOR = 16

/** Keeps each file aside while it comes, and has it read by a thread of its own. */
export function uploadImporter(parts: UploadParts): DashboardContext['importUpload'] {
  let running = 0
  return async (content, wish) => {
    if (running >= UPLOADS_MAX)
      throw new DashboardProblem(
        'conflict',
        `${UPLOADS_MAX} files are being read already. Please try again when they are done.`,
      )
    running++
    try {
      return await importOne(parts, content, wish)
    } catch (fault) {
      throw refusalOf(fault) ?? fault
    } finally {
      running--
    }
  }
}

async function importOne(
  { databaseUrl, bytesMax, signal, onEvent }: UploadParts,
  content: AsyncIterable<Uint8Array>,
  wish: UploadOptions,
): Promise<ImportReport> {
  await using file = await SpooledFile.spool(content, bytesMax)
  const { descriptor } = file
  const report = await runImport(
    { ...wish, databaseUrl, descriptor, bytesMax: bytesMax * UNPACKED_FACTOR },
    signal,
  )
  if (!report.dryRun) onEvent(eventOf(report, wish.fileName))
  return report
}

/** What whoever brought the file can do something about; undefined for a fault of ours. */
function refusalOf(fault: unknown): DashboardProblem | undefined {
  if (fault instanceof ImportRefused)
    return new DashboardProblem('conflict', `${fault.message}.`.replace(/\.\.$/, '.'))
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  const what = LACKS.get(code)
  return what === undefined ? undefined : new DashboardProblem('conflict', what)
}

const LACKS: ReadonlyMap<unknown, string> = new Map([
  [
    'ENOSPC',
    'The service has no room left to keep the file aside. Please tell whoever looks after its disk.',
  ],
  [
    'ERR_WORKER_OUT_OF_MEMORY',
    'The file needs more memory than an import may take. Please split it between several sources.',
  ],
])

function eventOf({ slug, outcome, error, changes, rejected }: ImportReport, file: string): LogEvent {
  const fields = { source: slug, file, outcome, ...changes, rejected, ...(error !== undefined && { error }) }
  return { level: outcome === 'failed' ? 'warn' : 'info', message: 'file was imported', fields }
}
