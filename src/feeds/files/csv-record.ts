import { excerpt, type Json } from '../../lib/json.ts'
import { InvalidData } from '../rejections.ts'
import type { CsvLayout } from './csv-columns.ts'
import type { RecordFaults } from './record-faults.ts'

/** A row as a record by field name. Leaves out blank cells, and those that `cellValue()` rejects. */
export function recordOf(cells: readonly string[], { columns }: CsvLayout, faults: RecordFaults): Json {
  const record: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const cell = cells[at]
    const name = columns[at]?.name
    if (name === undefined || cell === undefined || cell.trim() === '') continue
    const [first, second] = name.split('.')
    const value = faults.collect(name, () => cellValue(cell, name))
    if (second === undefined) record[first] = value
    else {
      record[first] ??= {}
      ;(record[first] as Record<string, unknown>)[second] = value
    }
  }
  return record
}

/**
 * The original value of a cell: people write `="02139"` to keep leading zeros, and CSV exports of `/v1` write `'+1 617` to
 * prevent formula injection. Throws `InvalidData`, naming the column, for values that a spreadsheet destroyed: `#N/A`,
 * `####`, `6.17555E+09`, a formula.
 */
function cellValue(cell: string, column: string): string {
  const text = cell.trim()
  const [, kept] = KEPT.exec(text) ?? []
  if (kept !== undefined) return kept
  if (GUARDED_FORMULA.test(cell)) return cell.slice(1)
  if (ERROR.test(text))
    throw new InvalidData(
      `${column} must be a value, or empty: got "${excerpt(text)}", which a spreadsheet wrote instead of the value`,
    )
  if (ROUNDED.test(text))
    throw new InvalidData(
      `${column} must be the original text: got "${excerpt(text)}", which a spreadsheet rounded as a number. Format the column as Text`,
    )
  return cell
}

const KEPT = /^="([^"]*)"$/

const GUARDED_FORMULA = /^'[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Error values such as `#REF!` in any language, `#N/A` (German `#NV`), LibreOffice's `Err:502`, `####` for a narrow column, formulas. */
const ERROR = /^(?:#N\/A|#NV|#[\p{Lu}/0]{2,15}[!?]|#{3,}|Err:\d{3}|=.*)$/u

/** Large numbers as Excel and LibreOffice write them, with most digits lost. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i
