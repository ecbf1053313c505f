import {
  batchBytes,
  columnsOf,
  compareSlots,
  ID_WORDS,
  idInJson,
  type SlotBatch,
  type SlotEntry,
  writeIdBits,
} from './slot-batch.ts'
import { STATUS_NUMBER } from './slot-rows.ts'

const BATCH_SLOTS = 4000
/** Bytes of JSON reserved per slot. */
const JSON_BYTES = 256

/**
 * Buffers slots and emits them in batches sorted by (primary bucket, start, id): the index stores bytes in order of
 * arrival, so slots that are requested together are stored together.
 *
 * Its memory (300 bytes per slot) is allocated once; slots create no garbage.
 */
export class SlotWindow {
  readonly #primaryBuckets: Float64Array
  readonly #startsMs: Float64Array
  readonly #endsMs: Float64Array
  readonly #offeringIds: Float64Array
  readonly #idBits: Uint32Array
  readonly #jsonEnds: Uint32Array
  readonly #statuses: Uint8Array
  #json: Buffer
  #count = 0

  constructor(slotsMax: number) {
    this.#primaryBuckets = new Float64Array(slotsMax)
    this.#startsMs = new Float64Array(slotsMax)
    this.#endsMs = new Float64Array(slotsMax)
    this.#offeringIds = new Float64Array(slotsMax)
    this.#idBits = new Uint32Array(slotsMax * ID_WORDS)
    this.#jsonEnds = new Uint32Array(slotsMax)
    this.#statuses = new Uint8Array(slotsMax)
    this.#json = Buffer.allocUnsafeSlow(slotsMax * JSON_BYTES)
  }

  /** Adds a slot; returns false if the window is full and must be emptied first. */
  add(slot: SlotEntry, primaryBucket: number): boolean {
    const n = this.#count
    const from = n === 0 ? 0 : this.#jsonEnds[n - 1]
    // A character of a JavaScript string takes at most three bytes of UTF-8.
    const bytesMax = slot.json.length * 3
    if (n === this.#primaryBuckets.length || (n > 0 && from + bytesMax > this.#json.length)) return false
    if (bytesMax > this.#json.length) this.#json = Buffer.allocUnsafeSlow(bytesMax)
    this.#primaryBuckets[n] = primaryBucket
    this.#startsMs[n] = slot.startMs
    this.#endsMs[n] = slot.endMs
    this.#offeringIds[n] = slot.offeringId
    this.#statuses[n] = STATUS_NUMBER[slot.status]
    this.#jsonEnds[n] = from + this.#json.write(slot.json, from)
    writeIdBits(this.#json, idInJson(from), this.#idBits, n)
    this.#count++
    return true
  }

  /** Empties the window into batches. `allocate` returns a buffer of at least `bytes` bytes. */
  *empty(allocate: (bytes: number) => ArrayBuffer): Generator<SlotBatch, void> {
    const order = Uint32Array.from({ length: this.#count }, (_, n) => n).sort(
      (a, b) => this.#primaryBuckets[a] - this.#primaryBuckets[b] || compareSlots(this.#startsMs, this.#idBits, a, b),
    )
    for (let at = 0; at < order.length; at += BATCH_SLOTS) {
      yield this.#pack(order.subarray(at, at + BATCH_SLOTS), allocate)
    }
    this.#count = 0
  }

  #pack(slots: Uint32Array, allocate: (bytes: number) => ArrayBuffer): SlotBatch {
    const count = slots.length
    let jsonBytes = 0
    for (const slot of slots) jsonBytes += this.#jsonEnds[slot] - this.#jsonFrom(slot)
    const batch = { count, jsonBytes, memory: allocate(batchBytes(count, jsonBytes)) }
    const columns = columnsOf(batch)
    for (let n = 0, end = 0; n < count; n++) {
      const slot = slots[n]
      columns.startsMs[n] = this.#startsMs[slot]
      columns.endsMs[n] = this.#endsMs[slot]
      columns.offeringIds[n] = this.#offeringIds[slot]
      columns.statuses[n] = this.#statuses[slot]
      for (let word = 0; word < ID_WORDS; word++) {
        columns.idBits[n * ID_WORDS + word] = this.#idBits[slot * ID_WORDS + word]
      }
      end += this.#json.copy(columns.json, end, this.#jsonFrom(slot), this.#jsonEnds[slot])
      columns.jsonEnds[n] = end
    }
    return batch
  }

  #jsonFrom(slot: number): number {
    return slot === 0 ? 0 : this.#jsonEnds[slot - 1]
  }
}
