// Hot path
import { ID_LENGTH, type SlotRows } from './slot-rows.ts'

const EMPTY = 0xffff_ffff
const LOAD_MAX = 0.7

/** Finds a row by its id: a hash table with linear probing that stores row numbers only; 6 to 12 bytes per row. */
export class IdTable {
  readonly #rows: SlotRows
  #slots = new Uint32Array(1024).fill(EMPTY)
  #size = 0

  constructor(rows: SlotRows) {
    this.#rows = rows
  }

  /** Makes room for `count` more rows; yields between small steps. Call it before `add()`. */
  *reserve(count: number): Generator<void, void> {
    let length = this.#slots.length
    while (this.#size + count > length * LOAD_MAX) length *= 2
    if (length === this.#slots.length) return
    const slots = new Uint32Array(length).fill(EMPTY)
    for (let slot = 0; slot < this.#slots.length; slot++) {
      if (this.#slots[slot] !== EMPTY) this.#insert(this.#slots[slot], slots)
      if (slot % 256 === 0) yield
    }
    this.#slots = slots
  }

  add(row: number): void {
    this.#insert(row, this.#slots)
    this.#size++
  }

  /**
   * The wanted row whose id is at `at` in `ids`; undefined if there is none. During a change, an updated slot has two rows.
   */
  find(ids: Buffer, at: number, isWanted: (row: number) => boolean): number | undefined {
    const idHigh = idBitsAt(ids, at)
    const idLow = idBitsAt(ids, at + ID_LENGTH / 4)
    const mask = this.#slots.length - 1
    for (let slot = spread(idHigh, idLow) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]
      if (row === EMPTY) return undefined
      if (this.#rows.idLowOf(row) !== idLow || this.#rows.idHighOf(row) !== idHigh) continue
      if (this.#rows.hasId(row, ids, at) && isWanted(row)) return row
    }
  }

  /** Removes a row that is in the table. */
  remove(row: number): void {
    const mask = this.#slots.length - 1
    let hole = this.#homeSlot(row, mask)
    while (this.#slots[hole] !== row) hole = (hole + 1) & mask
    // Backward-shift deletion: displaced rows move into the hole, so that no probe ends too early.
    for (let slot = (hole + 1) & mask; this.#slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const homeSlot = this.#homeSlot(this.#slots[slot], mask)
      if (((slot - homeSlot) & mask) < ((slot - hole) & mask)) continue
      this.#slots[hole] = this.#slots[slot]
      hole = slot
    }
    this.#slots[hole] = EMPTY
    this.#size--
  }

  #homeSlot(row: number, mask: number): number {
    return spread(this.#rows.idHighOf(row), this.#rows.idLowOf(row)) & mask
  }

  #insert(row: number, slots: Uint32Array): void {
    const mask = slots.length - 1
    let slot = this.#homeSlot(row, mask)
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
    slots[slot] = row
  }
}

/** Ids are hashes already: combining bits of both halves is enough. */
function spread(idHigh: number, idLow: number): number {
  return idHigh ^ (idLow << 2)
}

const CODES = new Uint8Array(128)
for (let value = 0; value < 32; value++) CODES['0123456789abcdefghijklmnopqrstuv'.charCodeAt(value)] = value

/** 30 bits of an id: the value of six of its characters. */
export function idBitsAt(ids: Uint8Array, at: number): number {
  let bits = 0
  for (let index = at; index < at + ID_LENGTH / 4; index++) bits = (bits << 5) | CODES[ids[index] & 127]
  return bits
}
