// Hot path
import { hashText } from '../../lib/text.ts'
import { identifierNamesOf } from '../../slot/filter-values.ts'
import { beginOf } from '../sorted-lists.ts'
import type { SortedRows } from './build-run.ts'
import { ODD_LENGTH_AT, ODD_TEXT_AT } from './page-writer.ts'
import { ADDRESS, DURATION, formOf, ODD_FORM, RECORD_WORDS } from './row-record.ts'
import type { RowBlock } from './run.ts'
import type { SlotForm } from './slot-texts.ts'

/** Ascending row numbers by identifier of slots, in columns. Different identifiers may have one hash. */
export interface IdentifierLists {
  /** One for each identifier, ascending. */
  readonly identifierHashes: Uint32Array
  /** Where the rows of each identifier end in `identifierRows`. */
  readonly identifierEnds: Uint32Array
  readonly identifierRows: Uint16Array
}

/** The rows of each identifier. Rows without identifiers cost nothing but a look at their form. */
export function groupByIdentifier(rows: SortedRows, forms: readonly SlotForm[]): IdentifierLists {
  const numbers = new Map<string, number>()
  /** The hash of each identifier and its number, in one integer. */
  const keys: number[] = []
  const counts: number[] = []
  const numberOf: number[] = []
  const rowOf: number[] = []
  for (let row = 0; row < rows.count; row++) {
    const form = formOf(rows.records, row * RECORD_WORDS)
    if (form !== ODD_FORM && !forms[form].hasIdentifier) continue
    for (const name of identifiersOf(rows, row)) {
      const number = numbers.get(name) ?? counts.push(0) - 1
      if (number === keys.length) keys.push(hashText(name) * NUMBERS + number)
      numbers.set(name, number)
      counts[number]++
      numberOf.push(number)
      rowOf.push(row)
    }
  }
  const sorted = Float64Array.from(keys).sort()
  const identifierEnds = new Uint32Array(keys.length)
  for (const [place, key] of sorted.entries()) {
    const number = key % NUMBERS
    const begin = beginOf(identifierEnds, place)
    identifierEnds[place] = begin + counts[number]
    // From here on, where the next row of the identifier is written.
    counts[number] = begin
  }
  const identifierRows = new Uint16Array(rowOf.length)
  for (const [n, row] of rowOf.entries()) identifierRows[counts[numberOf[n]]++] = row
  return { identifierHashes: Uint32Array.from(sorted, (key) => key / NUMBERS), identifierEnds, identifierRows }
}

/** More than the identifiers of a run, of which a slot has few; with a hash they fit an exact integer. */
const NUMBERS = 2 ** 21

/** The identifiers of a row whose form has some, or that is odd: `system|value`, without duplicates. */
export function identifiersOf({ records, arena }: RowBlock, row: number): readonly string[] {
  const at = row * RECORD_WORDS
  const address = records[at + ADDRESS]
  if (formOf(records, at) === ODD_FORM) {
    const from = address + ODD_TEXT_AT
    const text = arena.toString('utf8', from, from + arena.readUInt32LE(address + ODD_LENGTH_AT))
    return text.includes(IDENTIFIER) ? identifierNamesOf(JSON.parse(`${text}}`).identifier ?? []) : NONE
  }
  const from = records[at + DURATION] >>> 16 === 0 ? address : address + 1 + arena[address]
  return identifierNamesOf(JSON.parse(arena.toString('utf8', from + 2, from + 2 + arena.readUInt16LE(from))))
}

const IDENTIFIER = ',"identifier":['
const NONE: readonly string[] = []
