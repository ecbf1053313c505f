import { singleLine } from '../lib/text.ts'

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
