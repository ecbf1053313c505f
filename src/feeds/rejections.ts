import { singleLine } from '../lib/text.ts'
import type { Rejected } from './connector.ts'

/** A resource, record or value is not valid. The message completes "Cannot read a Slot: …". */
export class InvalidData extends Error {
  override readonly name = 'InvalidData'
}

/** Maximum length in characters of `Rejected.reason` and `Rejected.sample`. */
export const REASON_LENGTH_MAX = 300
export const SAMPLE_LENGTH_MAX = 500

/** The reason of a rejection: a single line of at most 300 characters. */
export function rejectionReason(text: string): string {
  return singleLine(text.slice(0, REASON_LENGTH_MAX))
}

/** The beginning of a rejected line, at most 500 characters; NULs and unpaired surrogates become U+FFFD. */
export function rejectionSample(text: string): string {
  return text.slice(0, SAMPLE_LENGTH_MAX).replaceAll('\0', '\ufffd').toWellFormed()
}

/** Rejections kept per sync. */
const REJECTIONS_MAX = 1000

/** Rejections kept per kind of reason, so that a frequent reason does not hide a rare one. */
const REJECTIONS_OF_KIND_MAX = 100

/** Counts all rejections of a sync; keeps the first 1,000, and at most 100 per kind of reason. */
export class RejectionSample {
  readonly #kept: Rejected[] = []
  readonly #countByKind = new Map<string, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  get kept(): readonly Rejected[] {
    return this.#kept
  }

  add(rejected: Rejected): void {
    this.#count++
    if (this.#kept.length >= REJECTIONS_MAX) return
    const kind = kindOf(rejected.reason)
    const ofKind = this.#countByKind.get(kind) ?? 0
    if (ofKind >= REJECTIONS_OF_KIND_MAX) return
    this.#countByKind.set(kind, ofKind + 1)
    this.#kept.push(rejected)
  }
}

/** The reason without quoted values and digits, which differ from line to line. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"?|\d+/g, '')
}
