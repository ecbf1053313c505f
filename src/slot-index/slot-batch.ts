import { SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { idBitsAt } from './id-table.ts'
import { ID_LENGTH, ID_OFFSET } from './slot-rows.ts'

/**
 * Slots on their way from the store to the index, as columns of equal length: cheap to hand from thread to thread
 * (every buffer can be transferred), cheap to take in.
 */
export interface SlotBatch {
  readonly count: number
  readonly startsMs: Float64Array
  readonly endsMs: Float64Array
  /** Four words a slot: its id, 30 bits each. */
  readonly idBits: Uint32Array
  readonly statuses: Uint8Array
  /** The store's ids. */
  readonly offeringIds: Float64Array
  /** The slots' own JSON, one after the other; slot n ends before `jsonEnds[n]`. */
  readonly json: Uint8Array
  readonly jsonEnds: Uint32Array
}

/** What a batch is made of. */
export interface SlotEntry {
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  readonly offeringId: number
  /** See `encodeSlot()`. */
  readonly json: string
}

const STATUS_NUMBER = Object.fromEntries(SLOT_STATUSES.map((status, number) => [status, number]))
const ID_WORDS = 4

/** Packs slots into a batch. */
export function packSlots(slots: readonly SlotEntry[]): SlotBatch {
  const count = slots.length
  let bytes = 0
  for (const slot of slots) bytes += Buffer.byteLength(slot.json)
  const json = Buffer.allocUnsafeSlow(bytes)
  const batch = {
    count,
    startsMs: new Float64Array(count),
    endsMs: new Float64Array(count),
    idBits: new Uint32Array(count * ID_WORDS),
    statuses: new Uint8Array(count),
    offeringIds: new Float64Array(count),
    json,
    jsonEnds: new Uint32Array(count),
  }
  let end = 0
  for (let n = 0; n < count; n++) {
    const slot = slots[n]
    batch.startsMs[n] = slot.startMs
    batch.endsMs[n] = slot.endMs
    batch.statuses[n] = STATUS_NUMBER[slot.status]
    batch.offeringIds[n] = slot.offeringId
    const id = end + ID_OFFSET
    end += json.write(slot.json, end)
    batch.jsonEnds[n] = end
    writeIdBits(json, id, batch.idBits, n)
  }
  return batch
}

/** The ids of slots that are gone, as text, one after the other, in order of (start, id). */
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

/** The order of (start, id): which slot is the first, the second, and so on. */
export function sortedOrder(startsMs: Float64Array, idBits: Uint32Array): Uint32Array {
  const order = new Uint32Array(startsMs.length)
  for (let n = 0; n < order.length; n++) order[n] = n
  return order.sort((a, b) => {
    if (startsMs[a] !== startsMs[b]) return startsMs[a] - startsMs[b]
    for (let word = 0; word < ID_WORDS; word++) {
      const difference = idBits[a * ID_WORDS + word] - idBits[b * ID_WORDS + word]
      if (difference !== 0) return difference
    }
    return 0
  })
}

function writeIdBits(ids: Uint8Array, at: number, bits: Uint32Array, n: number): void {
  const characters = ID_LENGTH / ID_WORDS
  for (let word = 0; word < ID_WORDS; word++) {
    bits[n * ID_WORDS + word] = idBitsAt(ids, at + word * characters)
  }
}
