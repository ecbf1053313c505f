// Hot path
import { MINUTE_MS } from '../lib/time.ts'
import { SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { ByteArena, type Owners } from './byte-arena.ts'
import type { RowOrder } from './posting-list.ts'

/** A row takes 32 bytes, so that it fits in one cache line. */
export const ROW_WORDS = 8
/** The words of a row after its two times. */
const ID_HIGH = 4
const ID_LOW = 5
export const ADDRESS = 6
const OFFERING = 7
/** The offering's word also has the status and the removal mark. */
export const OFFERING_MASK = (1 << 28) - 1
const STATUS_SHIFT = 28
const STATUS_MASK = 7
/** The highest bit: the pending change removes the slot. */
const LEAVING = 1 << 31

/** Longer durations are clamped; no query asks for more. */
const MINUTES_MAX = 65_535

/** Offset of the id in a slot's JSON, after `{"id":"`. */
export const ID_OFFSET = 7
export const ID_LENGTH = 24

/**
 * Every slot of the index as one row of fixed width. Row numbers are reused.
 *
 *     word   0 1     2 3    4        5       6         7
 *            start   end    id high  id low  address   leaving, status, offering
 *            float64 float64 30 bits  30 bits of JSON   1 bit leaving, 3 bits, 28 bits
 *
 * The first 60 bits of the id decide nearly every comparison; the id's text decides the rest.
 */
export class SlotRows implements RowOrder, Owners {
  readonly arena = new ByteArena()
  words = new Uint32Array(0)
  /** Each row's offering and whole minutes again, in columns: scans over all rows touch few cache lines. */
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

  /** Sets a row's JSON (a part of `source`), status and offering. */
  fill(row: number, status: number, offering: number, json: { source: Buffer; from: number; to: number }): void {
    const at = row * ROW_WORDS
    this.words[at + ADDRESS] = this.arena.put(row, json.source, json.from, json.to)
    this.words[at + OFFERING] = (offering | (status << STATUS_SHIFT)) >>> 0
    this.offerings[row] = offering
  }

  /** Frees a row that is no longer in any list. */
  remove(row: number): void {
    this.arena.release(this.addressOf(row))
    // An invalid address: the released bytes have no owner.
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

  /** Marks a row whose slot is deleted or replaced by another row. */
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

  /** Compares a row with a start and an id of 24 characters; negative if the row comes first. */
  compareTo(row: number, startMs: number, id: Buffer): number {
    return this.startOf(row) - startMs || this.#idOf(row).compare(id)
  }

  idOf(row: number): string {
    return this.#idOf(row).toString('latin1')
  }

  /** Whether a row's id equals the text at `at` in `ids`. */
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

/** The number of each status in a row. */
export const STATUS_NUMBER = Object.fromEntries(SLOT_STATUSES.map((status, number) => [status, number])) as Record<
  SlotStatus,
  number
>

/** The numbers of all statuses. */
export const STATUS_NUMBERS = SLOT_STATUSES.map((_, number) => number)
