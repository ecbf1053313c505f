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
  return layOut(memory, sizes).parts as RunParts
}

/** The views of a run that another thread has written. */
export function openRun(memory: SharedArrayBuffer): RunParts {
  const header = new Uint32Array(memory, 0, HEADER_WORDS)
  const sizes = Object.fromEntries(SIZE_NAMES.map((name, word) => [name, header[word]]))
  return layOut(memory, sizes as unknown as RunSizes).parts as RunParts
}

/** A load of two thirds. */
export function idTableSize(rows: number): number {
  return Math.ceil(rows * 1.5) + 1
}

/** Where the search in an id table goes on. */
export function nextSlot(slot: number, tableSize: number): number {
  return slot + 1 === tableSize ? 0 : slot + 1
}

function layOut(
  memory: SharedArrayBuffer | undefined,
  sizes: RunSizes,
): { bytes: number; parts: RunParts | undefined } {
  const { rows, terms, postings, denseTerms, offerings, cells, cellRows, idTable, arenaBytes } = sizes
  const { identifiers, identifierRows } = sizes
  let at = HEADER_WORDS * 4
  const place = (bytes: number) => {
    const from = at
    at += Math.ceil(bytes / 8) * 8
    return from
  }
  const words = (length: number) => [place(length * 4), length] as const
  const halves = (length: number) => [place(length * 2), length] as const
  const of = {
    records: words(rows * 8),
    offerings: words(rows),
    terms: words(terms),
    termEnds: words(terms),
    denseTerms: words(denseTerms),
    denseBits: words(denseTerms * wordsOf(rows)),
    offeringNumbers: words(offerings),
    offeringEnds: words(offerings),
    cells: words(cells),
    identifierHashes: words(identifiers),
    identifierEnds: words(identifiers),
    idFilter: words(Math.ceil(rows / 4)),
    denseCounts: halves(denseTerms * blocksOf(rows)),
    postings: halves(postings),
    offeringRows: halves(rows),
    cellEnds: halves(cells),
    cellRows: halves(cellRows),
    identifierRows: halves(identifierRows),
    idTable: halves(idTable),
  }
  const arenaAt = place(arenaBytes)
  if (memory === undefined) return { bytes: at, parts: undefined }
  return {
    bytes: at,
    parts: {
      sizes,
      records: new Uint32Array(memory, ...of.records),
      offerings: new Uint32Array(memory, ...of.offerings),
      terms: new Uint32Array(memory, ...of.terms),
      termEnds: new Uint32Array(memory, ...of.termEnds),
      denseTerms: new Uint32Array(memory, ...of.denseTerms),
      denseBits: new Uint32Array(memory, ...of.denseBits),
      denseCounts: new Uint16Array(memory, ...of.denseCounts),
      offeringNumbers: new Uint32Array(memory, ...of.offeringNumbers),
      offeringEnds: new Uint32Array(memory, ...of.offeringEnds),
      cells: new Uint32Array(memory, ...of.cells),
      identifierHashes: new Uint32Array(memory, ...of.identifierHashes),
      identifierEnds: new Uint32Array(memory, ...of.identifierEnds),
      postings: new Uint16Array(memory, ...of.postings),
      offeringRows: new Uint16Array(memory, ...of.offeringRows),
      cellEnds: new Uint16Array(memory, ...of.cellEnds),
      cellRows: new Uint16Array(memory, ...of.cellRows),
      identifierRows: new Uint16Array(memory, ...of.identifierRows),
      idFilter: new Uint32Array(memory, ...of.idFilter),
      idTable: new Uint16Array(memory, ...of.idTable),
      arena: Buffer.from(memory, arenaAt, arenaBytes),
    },
  }
}
