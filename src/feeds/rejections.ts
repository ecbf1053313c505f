import { singleLine } from '../lib/text.ts'
import type { EncodedSlot } from '../slot/slot.ts'
import type { Origin, Rejected } from './connector.ts'

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

/** The rejection for `InvalidData`; rethrows any other error. `what`: line, row or entry. */
export function rejectionOf(
  error: unknown,
  { what, file, line, sample }: { what: string; file: string; line: number; sample: string },
): Rejected {
  if (!(error instanceof InvalidData)) throw error
  const reason = rejectionReason(`Cannot read the ${what}: ${error.message}`)
  return { code: 'invalid', file, line, reason, sample: rejectionSample(sample) }
}

/** The rejection of a slot whose id is already taken in the same snapshot. `isContradiction`: one is free, and the other is served. */
export function duplicateRejection(
  { json, offering }: Pick<EncodedSlot, 'json' | 'offering'>,
  { file, line }: Pick<Origin, 'file' | 'line'>,
  isContradiction = false,
): Rejected {
  const twice = isContradiction ? 'published as free and as not free, and served as not free' : 'published twice'
  const { start } = JSON.parse(`${json}}`)
  const where = `Slot at "${start}" of Schedule "${offering.scheduleId}" is ${twice}`
  const reason = rejectionReason(`${where}: Schedule, Slot.id, start and end must be unique together`)
  return { code: 'duplicate', file, line, reason, sample: rejectionSample(`${json}}`) }
}

/** Rejections kept per sync. */
const REJECTIONS_MAX = 1000

/** Rejections kept per kind of reason, so that a frequent reason does not hide a rare one. */
const REJECTIONS_OF_KIND_MAX = 100

/** Counts all rejections of a sync; keeps the first 1,000, and at most 100 per kind of reason. */
export class RejectionSample {
  readonly #kept: Omit<Rejected, 'code'>[] = []
  readonly #countByKind = new Map<string, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  get kept(): readonly Omit<Rejected, 'code'>[] {
    return this.#kept
  }

  add({ file, line, reason, sample }: Omit<Rejected, 'code'>): void {
    this.#count++
    if (this.#kept.length >= REJECTIONS_MAX) return
    const kind = kindOf(reason)
    const ofKind = this.#countByKind.get(kind) ?? 0
    if (ofKind >= REJECTIONS_OF_KIND_MAX) return
    this.#countByKind.set(kind, ofKind + 1)
    this.#kept.push({ file, line, reason, sample })
  }
}

/** The reason without quoted values and digits, which differ from line to line. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"?|\d+/g, '')
}
