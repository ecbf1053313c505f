import { MINUTE_MS } from '../../lib/time.ts'
import type { OfferingGroups } from '../offerings/term-offerings.ts'
import { groupByCell } from './cell-rows.ts'
import { postingsOf } from './posting-lists.ts'
import { groupByIdentifier } from './row-identifiers.ts'
import { idFilterBit, idSlot, idWordOf, OFFERING, RECORD_WORDS } from './row-record.ts'
import { endMsIn, type RowBlock, Run, startMsIn } from './run.ts'
import { allocateRun, idTableSize, nextSlot, RUN_ROWS_MAX, type RunParts } from './run-layout.ts'
import { termSizes, writeTerms } from './run-terms.ts'
import type { SlotForm } from './slot-texts.ts'

/** Rows in order of (start, id), whose addresses refer to `arena`. */
export interface SortedRows {
  readonly count: number
  readonly records: Uint32Array
  readonly arena: Buffer
  readonly arenaBytes: number
}

/** Builds a run of at most `RUN_ROWS_MAX` rows. */
export function buildRun(sorted: SortedRows, groups: OfferingGroups, forms: readonly SlotForm[]): Run {
  const { count, records, arena, arenaBytes } = sorted
  if (count > RUN_ROWS_MAX)
    throw new Error(`Cannot build run: it must have at most ${RUN_ROWS_MAX} rows: got "${count}"`)
  const offerings = new Uint32Array(count)
  for (let row = 0; row < count; row++) offerings[row] = records[row * RECORD_WORDS + OFFERING]
  const byOffering = groupByOffering(offerings)
  const lists = postingsOf(offerings, groups)
  const { cells, cellEnds, cellRows } = groupByCell(offerings, byOffering.numbers, groups.cells)
  const byIdentifier = groupByIdentifier(sorted, forms)
  const parts = allocateRun({
    rows: count,
    ...termSizes(lists, count),
    offerings: byOffering.numbers.length,
    cells: cells.length,
    cellRows: cellRows.length,
    identifiers: byIdentifier.identifierHashes.length,
    identifierRows: byIdentifier.identifierRows.length,
    idTable: idTableSize(count),
    arenaBytes,
    longestMinutes: longestMinutesOf({ records, arena }, count),
  })
  parts.records.set(records.subarray(0, count * RECORD_WORDS))
  parts.offerings.set(offerings)
  parts.offeringNumbers.set(byOffering.numbers)
  parts.offeringEnds.set(byOffering.ends)
  parts.offeringRows.set(byOffering.rows)
  parts.cells.set(cells)
  parts.cellEnds.set(cellEnds)
  parts.cellRows.set(cellRows)
  parts.identifierHashes.set(byIdentifier.identifierHashes)
  parts.identifierEnds.set(byIdentifier.identifierEnds)
  parts.identifierRows.set(byIdentifier.identifierRows)
  writeTerms(lists, parts)
  fillIdTable(parts)
  arena.copy(parts.arena, 0, 0, arenaBytes)
  return new Run(parts.records.buffer as SharedArrayBuffer, parts)
}

function longestMinutesOf(block: RowBlock, count: number): number {
  let longestMs = 0
  for (let row = 0; row < count; row++) longestMs = Math.max(longestMs, endMsIn(block, row) - startMsIn(block, row))
  return Math.ceil(longestMs / MINUTE_MS)
}

interface RowsByOffering {
  readonly numbers: Uint32Array
  readonly ends: Uint32Array
  readonly rows: Uint16Array
}

/** Rows by offering; all 0 between calls. */
let counts = new Uint32Array(1024)

/** A counting sort. */
function groupByOffering(offerings: Uint32Array): RowsByOffering {
  const seen: number[] = []
  for (const offering of offerings) {
    if (offering >= counts.length) counts = enlarged(counts, offering)
    if (counts[offering]++ === 0) seen.push(offering)
  }
  const numbers = Uint32Array.from(seen).sort()
  const ends = new Uint32Array(numbers.length)
  let end = 0
  for (let n = 0; n < numbers.length; n++) {
    const begin = end
    end += counts[numbers[n]]
    ends[n] = end
    counts[numbers[n]] = begin
  }
  const rows = new Uint16Array(offerings.length)
  for (let row = 0; row < offerings.length; row++) rows[counts[offerings[row]]++] = row
  for (const offering of numbers) counts[offering] = 0
  return { numbers, ends, rows }
}

function enlarged(column: Uint32Array, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(index * 2)
  larger.set(column)
  return larger
}

function fillIdTable({ idFilter, idTable, records, sizes }: RunParts): void {
  for (let row = 0; row < sizes.rows; row++) {
    const at = row * RECORD_WORDS
    const bit = idFilterBit(idWordOf(records, at, 2), idFilter.length)
    idFilter[bit >>> 5] |= 1 << (bit & 31)
    let slot = idSlot(idWordOf(records, at, 0), idWordOf(records, at, 1), idTable.length)
    while (idTable[slot] !== 0) slot = nextSlot(slot, idTable.length)
    idTable[slot] = row + 1
  }
}
