import type { CellRows } from './cell-rows.ts'
import { blocksOf, wordsOf } from './row-bitmap.ts'
import type { IdentifierLists } from './row-identifiers.ts'

/**
 * A run in one buffer: its parts in this order, each at a multiple of 8 bytes.
 *
 *     part             element    number of elements
 *     header           uint32     HEADER_WORDS: the numbers of elements below, and the longest duration
 *     records          uint32     8 per row: see `row-record.ts`
 *     offerings        uint32     1 per row, again, for scans
 *     terms            uint32     the terms with postings, ascending
 *     termEnds         uint32     where the postings of each term end
 *     denseTerms       uint32     the terms with bits, ascending: those of at least a 32nd of the rows
 *     denseBits        uint32     1 bit per row, for each of these terms
 *     offeringNumbers  uint32     the offerings that occur, ascending
 *     offeringEnds     uint32     where the rows of each offering end in `offeringRows`
 *     cells            uint32     the cells that occur, ascending: see `cellOf()`
 *     identifierHashes uint32     the hashes of the identifiers of slots, ascending
 *     identifierEnds   uint32     where the rows of each identifier end in `identifierRows`
 *     idFilter         uint32     8 bits per row, set by the hash of an id: a Bloom filter with one hash
 *     denseCounts      uint16     number of rows before each block of 512, for each of these terms: see `RowBitmap`
 *     postings         uint16     row numbers, ascending within a term
 *     offeringRows     uint16     row numbers, ascending within an offering
 *     cellEnds         uint16     where the rows of each cell end in `cellRows`
 *     cellRows         uint16     row numbers, ascending within a cell
 *     identifierRows   uint16     row numbers, ascending within an identifier
 *     idTable          uint16     open addressing by hash of the id: row number + 1, or 0
 *     arena            bytes      link suffixes, identifiers and the text of odd rows
 */
export const HEADER_WORDS = 12

/** Row numbers, and row numbers + 1, fit 16 bits. */
export const RUN_ROWS_MAX = 65_535

/** The sizes of a run's parts, in elements. */
export interface RunSizes {
  readonly rows: number
  readonly terms: number
  readonly postings: number
  readonly denseTerms: number
  readonly offerings: number
  readonly cells: number
  readonly cellRows: number
  readonly identifiers: number
  readonly identifierRows: number
  readonly idTable: number
  readonly arenaBytes: number
  /** The longest duration of a row, in minutes, rounded up. */
  readonly longestMinutes: number
}

/** In the order of the header. */
const SIZE_NAMES = [
  'rows',
  'terms',
  'postings',
  'denseTerms',
  'offerings',
  'cells',
  'cellRows',
  'identifiers',
  'identifierRows',
  'idTable',
  'arenaBytes',
  'longestMinutes',
] as const satisfies readonly (keyof RunSizes)[]

/** Typed views of the parts. */
export interface RunParts extends IdentifierLists, CellRows {
  readonly sizes: RunSizes
  readonly records: Uint32Array
  readonly offerings: Uint32Array
  readonly terms: Uint32Array
  readonly termEnds: Uint32Array
  readonly denseTerms: Uint32Array
  readonly denseBits: Uint32Array
  readonly denseCounts: Uint16Array
  readonly offeringNumbers: Uint32Array
  readonly offeringEnds: Uint32Array
  readonly postings: Uint16Array
  readonly offeringRows: Uint16Array
  readonly idFilter: Uint32Array
  readonly idTable: Uint16Array
  readonly arena: Buffer
}

/** Allocates a run and writes its header. */
export function allocateRun(sizes: RunSizes): RunParts {
  const memory = new SharedArrayBuffer(layOut(undefined, sizes).bytes)
  const header = new Uint32Array(memory, 0, HEADER_WORDS)
  header.set(SIZE_NAMES.map((name) => sizes[name]))
  return layOut(memory, sizes).parts
}

/** The views of a run that another thread has written. */
export function openRun(memory: SharedArrayBuffer): RunParts {
  const header = new Uint32Array(memory, 0, HEADER_WORDS)
  const sizes = Object.fromEntries(SIZE_NAMES.map((name, word) => [name, header[word]]))
  return layOut(memory, sizes as unknown as RunSizes).parts
}

/** A load of two thirds. */
export function idTableSize(rows: number): number {
  return Math.ceil(rows * 1.5) + 1
}

/** Where the search in an id table goes on. */
export function nextSlot(slot: number, tableSize: number): number {
  return slot + 1 === tableSize ? 0 : slot + 1
}

/** The bytes of a run, and views of its parts in their order; without memory, they are empty. */
function layOut(memory: SharedArrayBuffer | undefined, sizes: RunSizes): { bytes: number; parts: RunParts } {
  const { rows, denseTerms } = sizes
  let at = HEADER_WORDS * 4
  const place = (bytes: number) => {
    const from = at
    at += Math.ceil(bytes / 8) * 8
    return from
  }
  const words = (length: number) => {
    const from = place(length * 4)
    return memory === undefined ? new Uint32Array() : new Uint32Array(memory, from, length)
  }
  const halves = (length: number) => {
    const from = place(length * 2)
    return memory === undefined ? new Uint16Array() : new Uint16Array(memory, from, length)
  }
  const texts = (length: number) => {
    const from = place(length)
    return memory === undefined ? Buffer.alloc(0) : Buffer.from(memory, from, length)
  }
  const parts = {
    sizes,
    records: words(rows * 8),
    offerings: words(rows),
    terms: words(sizes.terms),
    termEnds: words(sizes.terms),
    denseTerms: words(denseTerms),
    denseBits: words(denseTerms * wordsOf(rows)),
    offeringNumbers: words(sizes.offerings),
    offeringEnds: words(sizes.offerings),
    cells: words(sizes.cells),
    identifierHashes: words(sizes.identifiers),
    identifierEnds: words(sizes.identifiers),
    idFilter: words(Math.ceil(rows / 4)),
    denseCounts: halves(denseTerms * blocksOf(rows)),
    postings: halves(sizes.postings),
    offeringRows: halves(rows),
    cellEnds: halves(sizes.cells),
    cellRows: halves(sizes.cellRows),
    identifierRows: halves(sizes.identifierRows),
    idTable: halves(sizes.idTable),
    arena: texts(sizes.arenaBytes),
  }
  return { bytes: at, parts }
}
