import { excerpt } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'

/**
 * What was in a cell before it was written down: `="02139"` is how people keep zeros, and `'+1 617` how tables that /v1 hands
 * out keep a text from being taken for a formula. Throws `InvalidData`, naming the column, for what a spreadsheet made of a value that is lost by that: `#N/A`, `####`, `6.17555E+09`, a formula.
 */
export function cellValue(cell: string, column: string): string {
  const text = cell.trim()
  const [, kept] = KEPT.exec(text) ?? []
  if (kept !== undefined) return kept
  if (DISARMED.test(cell)) return cell.slice(1)
  if (ERROR.test(text))
    throw new InvalidData(
      `${column} must be a value, or empty: got "${excerpt(text)}": a spreadsheet wrote this in its place`,
    )
  if (ROUNDED.test(text))
    throw new InvalidData(
      `${column} must be as it was written: got "${excerpt(text)}": a spreadsheet took it for a number: give the column the format Text`,
    )
  return cell
}

const KEPT = /^="([^"]*)"$/

const DISARMED = /^'[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** `#REF!` and its like in any language, `#N/A` (in German `#NV`), LibreOffice's `Err:502`, what did not fit, a formula. */
const ERROR = /^(?:#N\/A|#NV|#[\p{Lu}/0]{2,15}[!?]|#{3,}|Err:\d{3}|=.*)$/u

/** As Excel and LibreOffice write large numbers: all but some digits of them are gone. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i
