import { Semaphore } from '../../lib/concurrency.ts'
import { type Cell, csvLine, csvResponse } from '../../lib/csv.ts'
import { nextTurn } from '../../lib/next-turn.ts'

/** A list that can be downloaded. */
interface ListExport<Row> {
  /** ASCII without quotes. */
  readonly fileName: string
  readonly columns: readonly string[]
  /** The rows after `last`, newest first; fewer than `limit` only at the end. */
  readonly read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>
  readonly cellsOf: (row: Row) => readonly Cell[]
  /** The user who waits for it: users take turns. */
  readonly userId: string
  /** Ends the export early: its client has gone. */
  readonly signal: AbortSignal
}

/** What an export contains at most: the newest rows, as many as fit. The file is in memory while it is sent. */
export const EXPORT_ROWS_MAX = 100_000
export const EXPORT_BYTES_MAX = 50_000_000

/** Many short reads, so that no other query waits for a long one. */
const ROWS_PER_READ = 1000

/** Bounds the memory: further exports wait. */
const permits = new Semaphore(2)

/** The newest rows of a list as a CSV file, which is named `…-newest.csv` if there are more than it may contain. */
export function exportList<Row>(list: ListExport<Row>): Promise<Response> {
  return permits.run(() => writeList(list), list.userId)
}

async function writeList<Row>(list: ListExport<Row>): Promise<Response> {
  const { fileName, columns, read, cellsOf, signal } = list
  const file = new BoundedLines(csvLine(columns))
  let last: Row | undefined
  while (!file.isFull && !signal.aborted) {
    const rows = await read(last, ROWS_PER_READ)
    for (const row of rows) if (!file.isFull) file.add(csvLine(cellsOf(row)))
    if (rows.length < ROWS_PER_READ) break
    last = rows.at(-1)
    await nextTurn()
  }
  return csvResponse(file.isFull ? fileName.replace('.csv', '-newest.csv') : fileName, file.text)
}

/** Full once a line does not fit. */
class BoundedLines {
  isFull = false
  readonly #lines: string[]
  #bytes: number

  constructor(header: string) {
    this.#lines = [header]
    this.#bytes = Buffer.byteLength(header)
  }

  add(line: string): void {
    this.#bytes += Buffer.byteLength(line)
    this.isFull = this.#lines.length > EXPORT_ROWS_MAX || this.#bytes > EXPORT_BYTES_MAX
    if (!this.isFull) this.#lines.push(line)
  }

  get text(): string {
    return this.#lines.join('')
  }
}
