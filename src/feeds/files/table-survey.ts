import { excerpt } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import type { CsvLayout } from './csv-columns.ts'
import type { Row } from './csv-rows.ts'
import type { DateOrder } from './local-time.ts'
import { MergedCells } from './merged-cells.ts'

/** Findings that need all rows of a table together. */
interface TableSurvey {
  /** The order of dates that at least one proves, and the sentence for the report. */
  readonly dates: { readonly order?: DateOrder; readonly why: string } | undefined
  readonly merged: MergedCells
}

/** Reads all rows below the header. Throws `FeedFailure` if dates contradict each other and no order is configured. */
export async function surveyTable(
  rows: AsyncIterable<Row>,
  layout: CsvLayout,
  { file, dateOrder }: { file: string; dateOrder: DateOrder | undefined },
): Promise<TableSurvey> {
  const orders = new DateOrders(layout)
  const merged = new MergedCells(layout)
  for await (const row of rows) {
    orders.add(row)
    merged.add(row)
  }
  if (dateOrder !== undefined) return { dates: undefined, merged }
  const { mdy, dmy, dotted } = orders
  const other = dmy ?? dotted
  if (mdy !== undefined && other !== undefined) throw new FeedFailure(contradiction(file, mdy, other))
  const proof = mdy ?? dmy
  if (proof === undefined || !orders.hasAmbiguous)
    return { dates: orders.hasAmbiguousDots ? { why: DOTS } : undefined, merged }
  const order = mdy === undefined ? 'dmy' : 'mdy'
  const why = `Dates such as 03/04/2026 were read as ${ORDER_WORDS[order]}, because of "${excerpt(proof.text)}" in row ${proof.row}.`
  return { dates: { order, why }, merged }
}

const DOTS = 'Dates such as 03.04.2026 were read as day, month, year, the usual order with dots.'

const ORDER_WORDS = { mdy: 'month, day, year', dmy: 'day, month, year' } as const

function contradiction(file: string, mdy: Proof, dmy: Proof): string {
  const where = mdy.column === dmy.column ? `the column ${mdy.column}` : `the columns ${mdy.column} and ${dmy.column}`
  const quoted = ({ text, row }: Proof) => `"${excerpt(text)}" in row ${row}`
  return (
    `Cannot read ${file}: the dates in ${where} must have one order: ${quoted(mdy)} is ${ORDER_WORDS.mdy}, ${quoted(dmy)} is ` +
    `${ORDER_WORDS.dmy}. Write all dates as 2026-11-21, or set the order of dates to reject the others`
  )
}

/** A date that has only one possible order. */
interface Proof {
  readonly column: string
  readonly row: number
  readonly text: string
  readonly hasDots: boolean
}

/** Finds the orders that the dates of a table prove: `4/13/2027` can only be month, day, year. */
class DateOrders {
  mdy: Proof | undefined
  dmy: Proof | undefined
  /** Day first, as usual with dots: proves nothing about dates with slashes. */
  dotted: Proof | undefined
  /** A date such as `03/04/2026` has two possible orders. */
  hasAmbiguous = false
  hasAmbiguousDots = false
  readonly #columns: readonly (readonly [at: number, name: string])[]

  constructor({ columns }: CsvLayout) {
    this.#columns = columns.flatMap((column, at) =>
      column !== undefined && TIMES.has(column.name) ? [[at, column.name] as const] : [],
    )
  }

  add({ number, cells }: Row): void {
    for (const [at, column] of this.#columns) {
      const text = (cells[at] ?? '').trim()
      const found = DATE.exec(text)
      if (found === null) continue
      const proof = { column, row: number, text, hasDots: found[2] === '.' }
      this.#note(Number(found[1]), Number(found[3]), proof)
    }
  }

  #note(first: number, second: number, proof: Proof): void {
    if (first > 31 || second > 31 || (first > 12 && second > 12)) return
    if (second > 12) this.mdy ??= proof
    else if (proof.hasDots && first !== second) {
      this.dotted ??= proof
      this.hasAmbiguousDots ||= first <= 12
    } else if (first > 12) this.dmy ??= proof
    else if (first !== second) this.hasAmbiguous = true
  }
}

const TIMES: ReadonlySet<string> = new Set(['start', 'end', 'date', 'endDate'])

const DATE = /^(\d{1,2})([-/.])(\d{1,2})\2\d{4}(?!\d)/
