import { Worker } from 'node:worker_threads'
import type { CheckedSource, RunCheck } from '../http/dashboard-api/feed-checks/feed-checks.ts'
import type { CheckProgress } from '../validator/progress.ts'
import type { CheckReport } from '../validator/report.ts'

/** What a check thread is started with. */
export interface CheckThreadOptions extends CheckLimits {
  readonly url: string
  readonly strict: boolean
  readonly allowPrivate: boolean
  /** Instead of the URL alone. */
  readonly source?: CheckedSource
  /** What `${SOURCE_…}` stands for in its options. */
  readonly secrets: Readonly<Record<string, string>>
}

/** How much a check may take before it ends with what it has. */
export interface CheckLimits {
  readonly wholeMs: number
  /** Of all files, unpacked. */
  readonly bytesMax: number
}

export type FromCheckThread = { readonly progress: CheckProgress } | { readonly report: CheckReport }

/** Where checks may reach, and what they may take. */
export type CheckRunnerOptions = Pick<CheckThreadOptions, 'allowPrivate'> &
  Partial<Pick<CheckThreadOptions, 'secrets'> & CheckLimits>

/** A feed of two million slots is about a gigabyte, and takes about a minute of a processor. */
const LIMITS: CheckLimits = { wholeMs: 300_000, bytesMax: 2 ** 31 }

/** A thread that does not end by itself when it is asked to is ended by force. */
const STOP_MS_MAX = 5000

/** What a feed's directory may take, as for a sync, with room to work. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1536, maxYoungGenerationSizeMb: 16 }

/**
 * Checks feeds in a thread each, so that whoever asks answers others meanwhile: under the same rules as to where a publisher
 * may lead as a sync. Throws what the thread died of; a feed that cannot be read is a report.
 */
export function checkRunner(options: CheckRunnerOptions): RunCheck {
  return (wish, signal, onProgress) => {
    const { url } = wish
    const workerData: CheckThreadOptions = { ...LIMITS, secrets: {}, ...options, ...wish }
    const worker = new Worker(new URL('./check-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: RESOURCE_LIMITS,
    })
    const stop = () => {
      worker.postMessage(signal.reason instanceof Error ? signal.reason.message : 'it was stopped')
      setTimeout(() => void worker.terminate(), STOP_MS_MAX).unref()
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    return new Promise<CheckReport>((resolve, reject) => {
      worker.on('message', (message: FromCheckThread) => {
        if ('progress' in message) onProgress(message.progress)
        else resolve(message.report)
      })
      worker.once('error', (fault) => reject(new Error(`Cannot check ${url}: ${fault.message}`)))
      worker.once('exit', () => reject(new Error(`Cannot check ${url}: it took too much time or memory`)))
    }).finally(() => signal.removeEventListener('abort', stop))
  }
}
