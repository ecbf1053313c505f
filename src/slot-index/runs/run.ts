// Hot path

import { hashText } from '../../lib/text.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { prefetched } from '../prefetch.ts'
import { idTextOf } from '../slot-ids.ts'
import { beginOf, placeFrom, placeIn } from '../sorted-lists.ts'
import { identifiersOf } from './row-identifiers.ts'
import {
  ADDRESS,
  compareIds,
  DURATION,
  formOf,
  idFilterBit,
  idSlot,
  idWordOf,
  msOfMinute,
  ODD_FORM,
  RECORD_WORDS,
  START,
} from './row-record.ts'
import { nextSlot, openRun, type RunParts } from './run-layout.ts'

/** A start in Unix milliseconds, and an id as four words of 30 bits; without an id, before all ids. */
export interface RowKey {
  readonly startMs: number
  readonly idBits?: Uint32Array
}

/** Records and the bytes that they refer to. */
export interface RowBlock {
  readonly records: Uint32Array
  readonly arena: Buffer
}

/** The start of a row in Unix milliseconds. */
export function startMsIn({ records, arena }: RowBlock, row: number): number {
  const at = row * RECORD_WORDS
  if (formOf(records, at) === ODD_FORM) return arena.readDoubleLE(records[at + ADDRESS])
  return msOfMinute(records[at + START])
}

/** The end of a row in Unix milliseconds. */
export function endMsIn({ records, arena }: RowBlock, row: number): number {
  const at = row * RECORD_WORDS
  if (formOf(records, at) === ODD_FORM) return arena.readDoubleLE(records[at + ADDRESS] + 8)
  return msOfMinute(records[at + START] + (records[at + DURATION] & 0xffff))
}

/**
 * At most 65,535 slots of one status in order of (start, id), with posting lists by term: immutable, in one buffer that all threads
 * read.
 */
export class Run {
  readonly memory: SharedArrayBuffer
  readonly parts: RunParts
  readonly length: number
  /** Of its first and last row; not a number if it has none. */
  readonly firstStartMs: number
  readonly lastStartMs: number
  /** No row lasts longer. */
  readonly longestMs: number
  /** The ranks of starts that were asked for last: direct-mapped. Callers ask for the same days. */
  readonly #rankedMs = new Float64Array(RANKS).fill(Number.NaN)
  readonly #ranks = new Uint32Array(RANKS)
  /** The start of the first row of each block, once it has been asked for: a search in them stays in the cache. */
  #blockStarts: Float64Array | undefined

  constructor(memory: SharedArrayBuffer, parts = openRun(memory)) {
    this.memory = memory
    this.parts = parts
    this.length = parts.sizes.rows
    this.longestMs = parts.sizes.longestMinutes * MINUTE_MS
    this.firstStartMs = this.length === 0 ? Number.NaN : this.startMsOf(0)
    this.lastStartMs = this.length === 0 ? Number.NaN : this.startMsOf(this.length - 1)
  }

  /** Prefetches the records of the first `count` of some rows. */
  prefetch(rows: Uint16Array, count: number): void {
    const { records } = this.parts
    let sum = 0
    for (let n = 0; n < count; n++) sum ^= records[rows[n] * RECORD_WORDS]
    prefetched[0] = sum
  }

  startMsOf(row: number): number {
    return startMsIn(this.parts, row)
  }

  endMsOf(row: number): number {
    return endMsIn(this.parts, row)
  }

  idOf(row: number): string {
    return idTextOf(this.idBitsOf(row))
  }

  idBitsOf(row: number): Uint32Array {
    const bits = new Uint32Array(4)
    for (let word = 0; word < 4; word++) bits[word] = idWordOf(this.parts.records, row * RECORD_WORDS, word)
    return bits
  }

  offeringOf(row: number): number {
    return this.parts.offerings[row]
  }

  keyOf(row: number): Required<RowKey> {
    return { startMs: this.startMsOf(row), idBits: this.idBitsOf(row) }
  }

  /** Number of rows that start before an instant. */
  rankOfStart(startMs: number): number {
    const place = Math.imul(startMs, 0x9e37_79b1) >>> RANK_SHIFT
    if (this.#rankedMs[place] === startMs) return this.#ranks[place]
    const rank = this.rankOf({ startMs })
    this.#rankedMs[place] = startMs
    this.#ranks[place] = rank
    return rank
  }

  /** Number of rows before a key. */
  rankOf(key: RowKey): number {
    this.#blockStarts ??= this.#readBlockStarts()
    const block = placeFrom(this.#blockStarts, key.startMs)
    let low = Math.max(0, block - 1) * BLOCK_ROWS
    // Rows of one start may be in several blocks.
    const isFirstOfBlock = this.#blockStarts[block] === key.startMs
    let high = isFirstOfBlock ? this.length : Math.min(this.length, block * BLOCK_ROWS)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBefore(middle, key)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The rows of an offering: `offeringRows` [from, to). */
  rowsOf(offering: number): { readonly from: number; readonly to: number } {
    const { offeringNumbers, offeringEnds } = this.parts
    const place = placeIn(offeringNumbers, offering)
    if (place === -1) return NO_ROWS
    return { from: beginOf(offeringEnds, place), to: offeringEnds[place] }
  }

  /** The rows of slots with an identifier, `system|value`, ascending. */
  rowsWith(identifier: string): Uint16Array {
    const { identifierHashes, identifierEnds, identifierRows } = this.parts
    const hash = hashText(identifier)
    const first = placeIn(identifierHashes, hash)
    if (first === -1) return NONE
    let end = first + 1
    while (identifierHashes[end] === hash) end++
    const rows = identifierRows.subarray(beginOf(identifierEnds, first), identifierEnds[end - 1])
    const has = (row: number) => identifiersOf(this.parts, row).includes(identifier)
    // All rows of a hash with one identifier have it, or none.
    if (end === first + 1) return has(rows[0]) ? rows : NONE
    return Uint16Array.from(new Set(rows.filter(has))).sort()
  }

  /** The row with an id; -1 if there is none. */
  find(idBits: Uint32Array, at = 0): number {
    const { idFilter, idTable, records } = this.parts
    if (idFilter.length === 0) return -1
    // Most runs that do not have the id need no other memory than this.
    const bit = idFilterBit(idBits[at + 2], idFilter.length)
    if (((idFilter[bit >>> 5] >>> (bit & 31)) & 1) === 0) return -1
    for (let slot = idSlot(idBits[at], idBits[at + 1], idTable.length); ; slot = nextSlot(slot, idTable.length)) {
      const row = idTable[slot] - 1
      if (row === -1) return -1
      if (hasId(records, row * RECORD_WORDS, idBits, at)) return row
    }
  }

  #readBlockStarts(): Float64Array {
    const starts = new Float64Array(Math.ceil(this.length / BLOCK_ROWS))
    for (let block = 0; block < starts.length; block++) starts[block] = this.startMsOf(block * BLOCK_ROWS)
    return starts
  }

  #isBefore(row: number, { startMs, idBits }: RowKey): boolean {
    const start = this.startMsOf(row)
    if (start !== startMs || idBits === undefined) return start < startMs
    return compareIds(this.parts.records, row * RECORD_WORDS, idBits, 0) < 0
  }
}

const BLOCK_ROWS = 64
const RANKS = 64
const RANK_SHIFT = 26

const NO_ROWS = { from: 0, to: 0 }
const NONE = new Uint16Array(0)

function hasId(records: Uint32Array, at: number, idBits: Uint32Array, idAt: number): boolean {
  for (let word = 0; word < 4; word++) if (idWordOf(records, at, word) !== idBits[idAt + word]) return false
  return true
}
