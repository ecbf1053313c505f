// Hot path
import { MINUTE_MS } from '../lib/time.ts'
import { SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { ByteArena, type Owners } from './byte-arena.ts'
import type { RowOrder } from './posting-list.ts'

/** A row takes 32 bytes, so that all that is asked about it comes with one line of cache. */
export const ROW_WORDS = 8
/** The words of a row after its two times. */
const ID_HIGH = 4
const ID_LOW = 5
export const ADDRESS = 6
const OFFERING = 7
/** The offering's word also carries the status, and whether the slot is leaving. */
export const OFFERING_MASK = (1 << 28) - 1
const STATUS_SHIFT = 28
const STATUS_MASK = 7
/** The highest bit: the change in the making takes the slot out. */
const LEAVING = 1 << 31

/** Whatever lasts longer lasts longer than anybody asks for. */
const MINUTES_MAX = 65_535

/** Where the id stands in a slot's JSON: `{"id":"` comes before it. */
export const ID_OFFSET = 7
export const ID_LENGTH = 24

/**
 * Every slot of the index, as one row of fixed width. A row number is taken again once its slot is gone.
 *
 *     word   0 1     2 3    4        5       6         7
 *            start   end    id high  id low  address   leaving, status, offering
 *            float64 float64 30 bits  30 bits of JSON   1 bit leaving, 3 bits, 28 bits
 *
 * The first 60 bits of the id settle the order of all but freak neighbours; these are told apart by the id's text.
 */
export class SlotRows implements RowOrder, Owners {
  readonly arena = new ByteArena()
  words = new Uint32Array(0)
  /** Each row's offering once more, and how many whole minutes it lasts: what is asked of all rows at once, in as few lines of cache as can be. */
  offerings = new Uint32Array(0)
  minutes = new Uint16Array(0)
  #times = new Float64Array(0)
  #used = 0
  readonly #free: number[] = []

  add(slot: { startMs: number; endMs: number; idHigh: number; idLow: number }): number {
    const row = this.#free.pop() ?? this.#used++
    if (row * ROW_WORDS >= this.words.length) this.#grow()
    const at = row * ROW_WORDS
    this.#times[at / 2] = slot.startMs
    this.#times[at / 2 + 1] = slot.endMs
    this.words[at + ID_HIGH] = slot.idHigh
    this.words[at + ID_LOW] = slot.idLow
    this.minutes[row] = Math.min(MINUTES_MAX, Math.floor((slot.endMs - slot.startMs) / MINUTE_MS))
    return row
  }

  /** Gives a row its JSON (a part of `source`), its status and its offering. */
  fill(
    row: number,
    status: number,
    offering: number,
    json: { source: Buffer; from: number; to: number },
  ): void {
    const at = row * ROW_WORDS
    this.words[at + ADDRESS] = this.arena.put(row, json.source, json.from, json.to)
    this.words[at + OFFERING] = (offering | (status << STATUS_SHIFT)) >>> 0
    this.offerings[row] = offering
  }

  /** Frees a row that is in no list any more. */
  remove(row: number): void {
    this.arena.release(this.addressOf(row))
    // No address of the arena: the bytes left behind have no owner.
    this.words[row * ROW_WORDS + ADDRESS] = 0xffff_ffff
    this.#free.push(row)
  }

  startOf(row: number): number {
    return this.#times[row * (ROW_WORDS / 2)]
  }

  endOf(row: number): number {
    return this.#times[row * (ROW_WORDS / 2) + 1]
  }

  idHighOf(row: number): number {
    return this.words[row * ROW_WORDS + ID_HIGH]
  }

  idLowOf(row: number): number {
    return this.words[row * ROW_WORDS + ID_LOW]
  }

  isLeaving(row: number): boolean {
    return (this.words[row * ROW_WORDS + OFFERING] & LEAVING) !== 0
  }

  /** Marks a row whose slot goes, or comes back as another row. */
  leave(row: number): void {
    this.words[row * ROW_WORDS + OFFERING] |= LEAVING
  }

  statusOf(row: number): number {
    return (this.words[row * ROW_WORDS + OFFERING] >>> STATUS_SHIFT) & STATUS_MASK
  }

  offeringOf(row: number): number {
    return this.words[row * ROW_WORDS + OFFERING] & OFFERING_MASK
  }

  addressOf(row: number): number {
    return this.words[row * ROW_WORDS + ADDRESS]
  }

  moveTo(row: number, address: number): void {
    this.words[row * ROW_WORDS + ADDRESS] = address
  }

  compare(a: number, b: number): number {
    const start = this.startOf(a) - this.startOf(b)
    if (start !== 0) return start
    const high = this.idHighOf(a) - this.idHighOf(b)
    if (high !== 0) return high
    const low = this.idLowOf(a) - this.idLowOf(b)
    return low !== 0 || a === b ? low : this.#idOf(a).compare(this.#idOf(b))
  }

  /** Where a row stands beside a start and an id, 24 characters: negative if before. */
  compareTo(row: number, startMs: number, id: Buffer): number {
    return this.startOf(row) - startMs || this.#idOf(row).compare(id)
  }

  idOf(row: number): string {
    return this.#idOf(row).toString('latin1')
  }

  /** Whether a row's id is the one whose text stands in `ids` at `at`. */
  hasId(row: number, ids: Buffer, at: number): boolean {
    return this.#idOf(row).compare(ids, at, at + ID_LENGTH) === 0
  }

  #idOf(row: number): Buffer {
    return this.arena.bytesAt(this.addressOf(row)).subarray(ID_OFFSET, ID_OFFSET + ID_LENGTH)
  }

  #grow(): void {
    const rows = Math.max(1024, Math.ceil(this.words.length / ROW_WORDS / 2) * 3)
    const { words, offerings, minutes } = this
    this.words = new Uint32Array(rows * ROW_WORDS)
    this.words.set(words)
    this.#times = new Float64Array(this.words.buffer)
    this.offerings = new Uint32Array(rows)
    this.offerings.set(offerings)
    this.minutes = new Uint16Array(rows)
    this.minutes.set(minutes)
  }
}

/** The number of each status, as rows carry it. */
export const STATUS_NUMBER = Object.fromEntries(
  SLOT_STATUSES.map((status, number) => [status, number]),
) as Record<SlotStatus, number>

/** Numbers of all statuses. */
export const STATUS_NUMBERS = SLOT_STATUSES.map((_, number) => number)
