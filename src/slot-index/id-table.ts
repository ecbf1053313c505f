// Hot path
import { ID_LENGTH, type SlotRows } from './slot-rows.ts'

const EMPTY = 0xffff_ffff
const LOAD_MAX = 0.7

/** Finds a row by its id: a hash table with linear probing that holds row numbers only; 6 to 12 bytes a row. */
export class IdTable {
  readonly #rows: SlotRows
  #places = new Uint32Array(1024).fill(EMPTY)
  #size = 0

  constructor(rows: SlotRows) {
    this.#rows = rows
  }

  /** Makes room for that many rows more; yields between pieces of the work. To be called before `add()`. */
  *reserve(count: number): Generator<void, void> {
    let length = this.#places.length
    while (this.#size + count > length * LOAD_MAX) length *= 2
    if (length === this.#places.length) return
    const places = new Uint32Array(length).fill(EMPTY)
    for (let place = 0; place < this.#places.length; place++) {
      if (this.#places[place] !== EMPTY) this.#place(this.#places[place], places)
      if (place % 256 === 0) yield
    }
    this.#places = places
  }

  add(row: number): void {
    this.#place(row, this.#places)
    this.#size++
  }

  /**
   * The row whose id stands in `ids` at `at`, of those that are wanted; undefined if there is none. While a change is in the
   * making, a slot that comes back changed has two.
   */
  find(ids: Buffer, at: number, isWanted: (row: number) => boolean): number | undefined {
    const idHigh = idBitsAt(ids, at)
    const idLow = idBitsAt(ids, at + ID_LENGTH / 4)
    const mask = this.#places.length - 1
    for (let place = spread(idHigh, idLow) & mask; ; place = (place + 1) & mask) {
      const row = this.#places[place]
      if (row === EMPTY) return undefined
      if (this.#rows.idLowOf(row) !== idLow || this.#rows.idHighOf(row) !== idHigh) continue
      if (this.#rows.hasId(row, ids, at) && isWanted(row)) return row
    }
  }

  /** Takes out a row that is in the table. */
  remove(row: number): void {
    const mask = this.#places.length - 1
    let hole = this.#home(row, mask)
    while (this.#places[hole] !== row) hole = (hole + 1) & mask
    // Close the gap: whoever was pushed past the hole moves back into it, so that no probe ends too early.
    for (let place = (hole + 1) & mask; this.#places[place] !== EMPTY; place = (place + 1) & mask) {
      const home = this.#home(this.#places[place], mask)
      if (((place - home) & mask) < ((place - hole) & mask)) continue
      this.#places[hole] = this.#places[place]
      hole = place
    }
    this.#places[hole] = EMPTY
    this.#size--
  }

  #home(row: number, mask: number): number {
    return spread(this.#rows.idHighOf(row), this.#rows.idLowOf(row)) & mask
  }

  #place(row: number, places: Uint32Array): void {
    const mask = places.length - 1
    let place = this.#home(row, mask)
    while (places[place] !== EMPTY) place = (place + 1) & mask
    places[place] = row
  }
}

/** An id is a hash already: its bits need no more mixing than to come from both halves. */
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
