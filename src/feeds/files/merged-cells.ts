import type { CsvLayout } from './csv-columns.ts'
import type { Row } from './csv-rows.ts'

/** Rows named in the note. */
const ROWS_NAMED_MAX = 5

/**
 * Cells that were merged over several rows: a spreadsheet writes their value into the first row only.
 *
 *     Clinic   State   Start                    the rows 2 and 4 begin a group
 *     North    MA      2027-01-05 09:00         row 2
 *                      2027-01-05 09:30         row 3: filled from row 2
 *     South    NH      2027-01-05 09:00         row 4
 *                      2027-01-05 09:30         row 5: filled from row 4
 *
 * An empty cell usually means that nothing is provided. Empty cells of the location (without such columns, of the provider, or of
 * the service) are filled only if the whole table looks merged: the first row has a location, two neighboring rows never repeat
 * one, at least half of the rows have none, and none of these is virtual. Other shared columns are filled with them if they are
 * empty in the same rows. A `date` is filled in every row that has a time.
 */
export class MergedCells {
  /** Positions of the columns that decide; of the others that can be merged with them; of `date`. */
  readonly #base: readonly number[]
  readonly #others: Set<number>
  readonly #date: number
  readonly #layout: CsvLayout
  #groups = 0
  #continued = 0
  #isOrphaned = false
  #repeats = false
  #isVirtual = false
  #lastBase: string | undefined

  constructor(layout: CsvLayout) {
    const columns = layout.columns.map((column) => column?.name ?? '')
    const positions = (belongs: (name: string) => boolean) =>
      columns.flatMap((name, at) => (name !== '' && belongs(name) ? [at] : []))
    this.#layout = layout
    this.#base =
      BASES.map((prefix) => positions((name) => name.startsWith(prefix))).find(({ length }) => length > 0) ?? []
    this.#others = new Set(positions((name) => !this.#base.includes(columns.indexOf(name)) && !OWN.has(name)))
    this.#date = columns.indexOf('date')
  }

  /** A row of the survey, before any is filled. */
  add({ cells }: Row): void {
    const base = this.#base.map((at) => cells[at]?.trim() ?? '')
    if (base.some((cell) => cell !== '')) {
      const key = base.join('\0')
      this.#repeats ||= key === this.#lastBase
      this.#lastBase = key
      this.#groups++
      return
    }
    if (this.#base.length === 0) return
    this.#isOrphaned ||= this.#groups === 0
    this.#lastBase = undefined
    this.#continued++
    for (const at of this.#others) if ((cells[at] ?? '').trim() !== '') this.#others.delete(at)
    this.#isVirtual ||= this.#layout.columns.some((column, at) => isVirtual(column?.name, cells[at]))
  }

  /** Fills rows in order, after the survey. */
  filler(): MergedCellFiller {
    const isMerged =
      this.#continued > 0 && this.#continued >= this.#groups && !(this.#isOrphaned || this.#repeats || this.#isVirtual)
    const base = isMerged ? this.#base : []
    return new MergedCellFiller(this.#layout, { base, others: isMerged ? [...this.#others] : [], date: this.#date })
  }
}

/** Fills the empty cells of merged columns from the row above. */
class MergedCellFiller {
  readonly #layout: CsvLayout
  readonly #columns: { readonly base: readonly number[]; readonly others: readonly number[]; readonly date: number }
  readonly #filled = new Map<string, { count: number; rows: number[] }>()
  #above: readonly string[] = []

  constructor(layout: CsvLayout, columns: { base: readonly number[]; others: readonly number[]; date: number }) {
    this.#layout = layout
    this.#columns = columns
  }

  fill(row: Row): Row {
    const { base, others, date } = this.#columns
    const isEmpty = (at: number) => (row.cells[at] ?? '').trim() === ''
    const isContinued = base.length > 0 && base.every(isEmpty)
    const merged = [...(isContinued ? [...base, ...others] : []), ...(date >= 0 && isEmpty(date) ? [date] : [])]
    const cells = [...row.cells]
    for (const at of merged) {
      const value = this.#above[at] ?? ''
      if (value.trim() === '') continue
      while (cells.length < at) cells.push('')
      cells[at] = value
      this.#note(this.#layout.columns[at]?.name ?? '', row.number)
    }
    this.#above = cells
    return merged.length === 0 ? row : { ...row, cells }
  }

  /** One sentence for the columns that were filled in the same rows. */
  get notes(): readonly string[] {
    const byRows = new Map<string, string[]>()
    for (const [column, { count, rows }] of this.#filled) {
      const named = `${rows.join(', ')}${count > rows.length ? ', …' : ''}`
      const where = count === 1 ? `row ${named}` : `${count} rows (${named})`
      byRows.set(where, [...(byRows.get(where) ?? []), column])
    }
    return [...byRows].map(
      ([where, columns]) =>
        `Empty cells of ${columns.join(', ')} in ${where} were filled from the row above, as merged cells.`,
    )
  }

  #note(column: string, row: number): void {
    const { count, rows } = this.#filled.get(column) ?? { count: 0, rows: [] }
    if (rows.length < ROWS_NAMED_MAX) rows.push(row)
    this.#filled.set(column, { count: count + 1, rows })
  }
}

/** Which columns decide: the first of these that a table has. */
const BASES = ['location.', 'provider.', 'serviceType']

/** Columns of one slot, which are not shared by a group. */
const OWN: ReadonlySet<string> = new Set(
  'id status start end date endDate duration available booked capacity bookingDeepLink'.split(' '),
)

function isVirtual(column: string | undefined, cell = ''): boolean {
  if (column === 'modalities') return /virtual|phone|video/i.test(cell)
  return column === 'isVirtual' && !/^(?:false|no|n|0|)$/i.test(cell.trim())
}
