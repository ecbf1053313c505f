import { Worker } from 'node:worker_threads'
import { ImportRefused, type ImportWish } from '../sync/import/import-file.ts'
import type { ImportReport } from '../sync/import/import-report.ts'
import { STOP } from './supervised-worker.ts'

/** What an import thread is started with: the wish, with the file as an open descriptor of this process. */
export interface ImportThreadOptions extends Omit<ImportWish, 'file'> {
  readonly databaseUrl: string
  readonly descriptor: number
  readonly fileName: string
}

export type FromImportThread = { readonly report: ImportReport } | { readonly refused: string }

/** A thread that does not end by itself when it is asked to is ended by force; what it had not committed never was. */
const STOP_MS_MAX = 8000

/** What a file's directory may take (256 MiB of resources, reduced), with room to work. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1536, maxYoungGenerationSizeMb: 16 }

/**
 * Imports a file in a thread of its own, so that whoever asks for it answers others meanwhile. Throws `ImportRefused`, and
 * what the thread died of; a file that cannot be read is a report.
 */
export function runImport(options: ImportThreadOptions, signal: AbortSignal): Promise<ImportReport> {
  const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: options,
    resourceLimits: RESOURCE_LIMITS,
  })
  const stop = () => {
    worker.postMessage(STOP)
    setTimeout(() => void worker.terminate(), STOP_MS_MAX).unref()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return new Promise<ImportReport>((resolve, reject) => {
    worker.once('message', (message: FromImportThread) => {
      if ('report' in message) resolve(message.report)
      else reject(new ImportRefused(message.refused))
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`Cannot import: its thread must answer: got "exit ${code}"`)),
    )
  }).finally(() => signal.removeEventListener('abort', stop))
}
