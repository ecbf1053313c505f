import { Worker } from 'node:worker_threads'
import type { Offering } from '../../slot/slot.ts'
import { FeedFailure, type Rejected } from '../connector.ts'
import type { Directory, DirectoryTables } from '../fhir/directory.ts'
import type { ListedFile } from './manifest.ts'

/** The state of a directory that the thread begins with. */
export interface LineThreadOptions {
  readonly publisher: string
  readonly strict: boolean
  readonly nowMs: number
  readonly tables: DirectoryTables
  readonly lineKey: string
}

/** A Slot file whose lines are read. */
export type SlotFile = ListedFile & { readonly part: number }

/** Consecutive chunks of a file. */
export interface SentChunks {
  /** The file, with its first chunks. */
  readonly newFile?: SlotFile | undefined
  readonly chunks: readonly Uint8Array<ArrayBuffer>[]
  readonly isEnd: boolean
}

export interface RejectedAt {
  /** The slots of the same reply that stand before it. */
  readonly slotsBefore: number
  readonly rejected: Rejected
}

/** The lines that end in the chunks of a request. */
export interface ReadLines {
  /** Of each slot, see `encodeSlot()`. Not one text for all: a slice of it would keep the whole. */
  readonly json: readonly string[]
  /** Of each slot `SLOT_NUMBERS`: status, start, end, line, fingerprint, and the number of its offering. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** Those that no earlier slot has; they are numbered from 0. */
  readonly offerings: readonly Offering[]
  /** Numbers of offerings begin at 0 again. */
  readonly isForgetting: boolean
  readonly rejected: readonly RejectedAt[]
  readonly withheld: number
}

export const SLOT_NUMBERS = 6

/** Little of what the thread allocates survives a request, so a small young generation costs no time. */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

interface Waiting {
  readonly resolve: (read: ReadLines) => void
  readonly reject: (error: Error) => void
}

/** A thread that reads the lines of Slot files. Requests are answered in their order. */
export class LineWorker {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined

  constructor({ publisher, strict, nowMs, tables }: Directory, lineKey: string) {
    const workerData: LineThreadOptions = { publisher, strict, nowMs, tables, lineKey }
    this.#worker = new Worker(new URL('./line-thread.ts', import.meta.url), { workerData, resourceLimits: LIMITS })
    this.#worker.on('message', (read: ReadLines) => this.#waiting.shift()?.resolve(read))
    this.#worker.on('error', (error) => this.#fail(errorOf(error)))
    this.#worker.on('exit', () => this.#fail(new Error('Cannot read lines: their thread ended')))
  }

  /** Takes over the chunks that are buffers of their own. Rejects if the thread has ended. */
  read({ chunks, ...request }: SentChunks): Promise<ReadLines> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const own = chunks.map((chunk) => (chunk.length === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk)))
    const sent: SentChunks = { ...request, chunks: own }
    const read = new Promise<ReadLines>((resolve, reject) => this.#waiting.push({ resolve, reject }))
    // Several wait, and the first error ends the sync.
    read.catch(() => undefined)
    this.#worker.postMessage(
      sent,
      own.map(({ buffer }) => buffer),
    )
    return read
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}

/** An error loses its class on its way from the thread. */
function errorOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.name === 'FeedFailure' ? new FeedFailure(error.message) : error
}
