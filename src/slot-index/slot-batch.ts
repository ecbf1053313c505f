import type { SlotStatus } from '../slot/slot.ts'
import { idBitsAt } from './id-table.ts'
import { ID_LENGTH, ID_OFFSET } from './slot-rows.ts'

/**
 * Slots in transit from the store to the index: columns in one transferable buffer, which is returned to be reused.
 */
export interface SlotBatch {
  readonly count: number
  readonly jsonBytes: number
  /** At least `batchBytes()` long. */
  readonly memory: ArrayBuffer
}

/** Typed views of a batch, one row per slot. */
export interface BatchColumns {
  readonly startsMs: Float64Array
  readonly endsMs: Float64Array
  /** Offering ids of the store. */
  readonly offeringIds: Float64Array
  /** Four words a slot: its id, 30 bits each. */
  readonly idBits: Uint32Array
  /** The JSON of slot n ends before `jsonEnds[n]`. */
  readonly jsonEnds: Uint32Array
  readonly statuses: Uint8Array
  /** The slots' own JSON, concatenated. */
  readonly json: Buffer
}

/** One slot of a batch. */
export interface SlotEntry {
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  readonly offeringId: number
  /** See `encodeSlot()`. */
  readonly json: string
}

export const ID_WORDS = 4
const ROW_BYTES = 3 * 8 + ID_WORDS * 4 + 4 + 1

/** Size of a batch in bytes. */
export function batchBytes(count: number, jsonBytes: number): number {
  return count * ROW_BYTES + jsonBytes
}

export function columnsOf({ count, jsonBytes, memory }: SlotBatch): BatchColumns {
  const words = count * 8
  const bits = words * 3
  const ends = bits + count * ID_WORDS * 4
  const statuses = ends + count * 4
  return {
    startsMs: new Float64Array(memory, 0, count),
    endsMs: new Float64Array(memory, words, count),
    offeringIds: new Float64Array(memory, words * 2, count),
    idBits: new Uint32Array(memory, bits, count * ID_WORDS),
    jsonEnds: new Uint32Array(memory, ends, count),
    statuses: new Uint8Array(memory, statuses, count),
    json: Buffer.from(memory, statuses + count, jsonBytes),
  }
}

/** The ids of deleted slots, concatenated as text in order of (start, id). */
export function packIds(slots: readonly { readonly id: string; readonly startMs: number }[]): Uint8Array {
  const ids = Buffer.from(slots.map((slot) => slot.id).join(''), 'latin1')
  const bits = new Uint32Array(slots.length * ID_WORDS)
  for (let n = 0; n < slots.length; n++) writeIdBits(ids, n * ID_LENGTH, bits, n)
  const startsMs = Float64Array.from(slots, (slot) => slot.startMs)
  const sorted = Buffer.allocUnsafeSlow(ids.length)
  sortedOrder(startsMs, bits).forEach((n, place) => {
    ids.copy(sorted, place * ID_LENGTH, n * ID_LENGTH, (n + 1) * ID_LENGTH)
  })
  return sorted
}

/** The permutation that sorts slots by (start, id). */
export function sortedOrder(startsMs: Float64Array, idBits: Uint32Array): Uint32Array {
  const order = new Uint32Array(startsMs.length)
  for (let n = 0; n < order.length; n++) order[n] = n
  return order.sort((a, b) => compareSlots(startsMs, idBits, a, b))
}

/** Compares two slots by (start, id); negative if `a` comes first. */
export function compareSlots(startsMs: Float64Array, idBits: Uint32Array, a: number, b: number): number {
  if (startsMs[a] !== startsMs[b]) return startsMs[a] - startsMs[b]
  for (let word = 0; word < ID_WORDS; word++) {
    const difference = idBits[a * ID_WORDS + word] - idBits[b * ID_WORDS + word]
    if (difference !== 0) return difference
  }
  return 0
}

/** Writes the id at `at` in `ids` as the bits of slot n. */
export function writeIdBits(ids: Uint8Array, at: number, bits: Uint32Array, n: number): void {
  const characters = ID_LENGTH / ID_WORDS
  for (let word = 0; word < ID_WORDS; word++) {
    bits[n * ID_WORDS + word] = idBitsAt(ids, at + word * characters)
  }
}

/** Where the id begins in the JSON of a slot that begins at `at`. */
export const idInJson = (at: number) => at + ID_OFFSET
