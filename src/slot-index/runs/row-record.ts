// Hot path
import { MINUTE_MS } from '../../lib/time.ts'

/**
 * A row of a run: 32 bytes, half a cache line, since the rows of a page are far from each other.
 *
 *     word   0 … 3                     4         5                    6           7
 *            id: 30 bits each,         start,    duration in minutes  offering    address of the link's
 *            2 bits of the form each   minute    | link prefix << 16              suffix in the arena
 *
 * The form says how the times and the capacity are written. The text of an odd row, which no form describes, is in the arena.
 */
export const RECORD_WORDS = 8
export const START = 4
export const DURATION = 5
export const OFFERING = 6
export const ADDRESS = 7

const ID_BITS = 0x3fff_ffff
/** Form of rows that are stored as text. */
export const ODD_FORM = 255

/** Minutes from 1903 to the year 10,069 fit 32 bits; others are clamped, and their rows odd. */
const MINUTE_BIAS = 35_000_000
const MINUTE_MAX = 2 ** 32 - 1

/** Of an instant in Unix milliseconds, rounded down. */
export function minuteOf(ms: number): number {
  return Math.min(MINUTE_MAX, Math.max(0, Math.floor(ms / MINUTE_MS) + MINUTE_BIAS))
}

/** Whether an instant is a whole minute that a record can have. */
export function isRegularMinute(ms: number): boolean {
  return ms % MINUTE_MS === 0 && msOfMinute(minuteOf(ms)) === ms
}

/** The start of a minute in Unix milliseconds. */
export function msOfMinute(minute: number): number {
  return (minute - MINUTE_BIAS) * MINUTE_MS
}

/** Minutes since 1970. */
export function epochMinuteOf(minute: number): number {
  return minute - MINUTE_BIAS
}

export function formOf(records: Uint32Array, at: number): number {
  return (
    (records[at] >>> 30) |
    ((records[at + 1] >>> 30) << 2) |
    ((records[at + 2] >>> 30) << 4) |
    ((records[at + 3] >>> 30) << 6)
  )
}

/** Writes an id (four words of 30 bits) and the form. */
export function writeIdAndForm(
  records: Uint32Array,
  at: number,
  idBits: Uint32Array,
  idAt: number,
  form: number,
): void {
  for (let word = 0; word < 4; word++)
    records[at + word] = (idBits[idAt + word] | (((form >>> (word * 2)) & 3) << 30)) >>> 0
}

/** Replaces the form. */
export function writeForm(records: Uint32Array, at: number, form: number): void {
  for (let word = 0; word < 4; word++)
    records[at + word] = ((records[at + word] & ID_BITS) | (((form >>> (word * 2)) & 3) << 30)) >>> 0
}

/** The n-th 30 bits of a row's id. */
export function idWordOf(records: Uint32Array, at: number, word: number): number {
  return records[at + word] & ID_BITS
}

/** Compares the ids of two records, possibly of two runs. */
export function compareIds(a: Uint32Array, atA: number, b: Uint32Array, atB: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (a[atA + word] & ID_BITS) - (b[atB + word] & ID_BITS)
    if (difference !== 0) return difference
  }
  return 0
}

/** Where the search for an id begins in an id table, by its first two words. */
export function idSlot(high: number, low: number, tableSize: number): number {
  const hash = (Math.imul(high, 0x9e37_79b1) ^ Math.imul(low, 0x85eb_ca6b)) >>> 7
  return Math.floor((hash * tableSize) / 2 ** 25)
}

/** The bit of an id in a filter, by its third word: ids are hashes. */
export function idFilterBit(word: number, filterWords: number): number {
  return Math.floor((word * filterWords) / 2 ** (ID_WORD_BITS - 5))
}

/** Bits of a word of an id. */
export const ID_WORD_BITS = 30
