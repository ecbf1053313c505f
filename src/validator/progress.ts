import type { CheckOptions } from './check-feed.ts'

/** The limits of a check and its progress callback. */
type ProgressOptions = Pick<CheckOptions, 'signal' | 'bytesMax' | 'onProgress' | 'redact'>

/** The check has reached its byte limit. */
export class CheckLimitReached extends Error {}

/** Counts lines and bytes, and ends the check at its limits. */
export class Progress {
  readonly #options: ProgressOptions
  reading = 0
  readings = 0
  #lines = 0
  #bytes = 0

  constructor(options: ProgressOptions) {
    this.#options = options
  }

  /** Throws `CheckLimitReached`, or the reason of the signal. */
  advance(file: string, read: { readonly lines: number; readonly bytes: number }, errors: number): void {
    const { signal, bytesMax, onProgress, redact } = this.#options
    this.#lines += read.lines
    this.#bytes += read.bytes
    const { reading, readings } = this
    const name = redact?.(file) ?? file
    onProgress?.({ reading, readings, name, lines: this.#lines, bytes: this.#bytes, errors })
    signal?.throwIfAborted()
    if (bytesMax !== undefined && this.#bytes > bytesMax)
      throw new CheckLimitReached(`a check reads at most ${bytesMax} bytes, and the feed is larger`)
  }
}

/** The reason that a report gives for an early end. */
export function reasonOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  return reason.name === 'AbortError' ? `it was interrupted by ${reason.message}` : reason.message
}
