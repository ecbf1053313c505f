import type { CheckProgress } from '../shared/contract/feed-checks.ts'
/** How far a check may go, and who wants to know. */
export interface ProgressOptions {
  readonly signal?: AbortSignal
  readonly bytesMax?: number
  readonly onProgress?: (progress: CheckProgress) => void
  readonly redact?: (text: string) => string
}

/** The check has read as much as it may. */
export class Enough extends Error {}

/** Counts what a check has read, and ends it where it may not go on. */
export class Progress {
  readonly #options: ProgressOptions
  /** Of files that are of several types, each of the two. */
  reading = 0
  readings = 0
  #lines = 0
  #bytes = 0

  constructor(options: ProgressOptions) {
    this.#options = options
  }

  /** Throws `Enough`, or the reason of the signal. */
  advance(file: string, read: { readonly lines: number; readonly bytes: number }, errors: number): void {
    const { signal, bytesMax, onProgress, redact } = this.#options
    this.#lines += read.lines
    this.#bytes += read.bytes
    const { reading, readings } = this
    const name = redact?.(file) ?? file
    onProgress?.({ reading, readings, name, lines: this.#lines, bytes: this.#bytes, errors })
    signal?.throwIfAborted()
    if (bytesMax !== undefined && this.#bytes > bytesMax)
      throw new Enough(`a check reads at most ${bytesMax} bytes, and there are more`)
  }
}

/** Why a check ended before its time, as its report says it. */
export function reasonOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  return reason.name === 'AbortError' ? `it was interrupted by ${reason.message}` : reason.message
}
