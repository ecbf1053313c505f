import { setImmediate } from 'node:timers/promises'
import { type Cell, csvLine, csvResponse } from '../../lib/csv.ts'

/** A list that can be downloaded. */
interface ListExport<Row> {
  /** ASCII without quotes. */
  readonly fileName: string
  readonly columns: readonly string[]
  /** The rows after `last`, newest first; fewer than `limit` only at the end. */
  readonly read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>
  readonly cellsOf: (row: Row) => readonly Cell[]
  /** Ends the export early: its client has gone. */
  readonly signal: AbortSignal
}

/** The newest rows that one export contains at most. */
const ROWS_MAX = 100_000

/** Many short reads, so that no other query waits for a long one. */
const ROWS_PER_READ = 1000

/** The newest rows of a list as a CSV file. */
export async function exportList<Row>(list: ListExport<Row>): Promise<Response> {
  const { fileName, columns, read, cellsOf, signal } = list
  const lines = [csvLine(columns)]
  let last: Row | undefined
  while (lines.length <= ROWS_MAX && !signal.aborted) {
    const rows = await read(last, ROWS_PER_READ)
    for (const row of rows) lines.push(csvLine(cellsOf(row)))
    if (rows.length < ROWS_PER_READ) break
    last = rows.at(-1)
    // SQLite responds within microtasks, which would starve the other requests of this thread.
    await setImmediate()
  }
  return csvResponse(fileName, lines.join(''))
}
