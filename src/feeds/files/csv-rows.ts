import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { FeedFailure } from '../connector.ts'

/** A row of a table, numbered as a spreadsheet does it: from 1, the head and blank ones counted. */
export interface Row {
  readonly number: number
  readonly cells: readonly string[]
}

/** A slot takes about 600 bytes; more than this without an end is a quote that was never closed, or no table. */
export const ROW_BYTES_MAX = 2 ** 20

/**
 * Cuts a table (UTF-8) into rows: quoted cells may hold delimiters, quotes and line breaks, and lines may end in any
 * of the three ways. Holds one row, never more than about `ROW_BYTES_MAX` of it. Throws `FeedFailure` where rows cannot be
 * told apart any more: from there on, what is a row would be a guess.
 */
export async function* readRows(
  content: AsyncIterable<Buffer>,
  { delimiter, file }: { delimiter: string; file: string },
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    // One file may have both: whoever appended to it had another system.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // Spaces around quotes. A tab that tells cells apart is none.
    trim: true,
    max_record_size: ROW_BYTES_MAX,
  })
  pipeline(Readable.from(bounded(content, parser, file)), parser, ignore)
  let number = 0
  try {
    for await (const cells of parser) yield { number: ++number, cells }
  } catch (fault) {
    throw fault instanceof CsvError ? notCsv(file, parser.info.records + 1, fault) : fault
  } finally {
    parser.destroy()
  }
}

/** What the parser counts of a row are the characters in its cells; of ten million empty cells it counts none. */
async function* bounded(
  content: AsyncIterable<Buffer>,
  parser: Parser,
  file: string,
): AsyncGenerator<Buffer> {
  let rows = 0
  let bytes = 0
  for await (const piece of content) {
    bytes = parser.info.records === rows ? bytes + piece.length : 0
    rows = parser.info.records
    if (bytes > 2 * ROW_BYTES_MAX) throw tooLong(file, rows + 1)
    yield piece
  }
}

/** A failure of any stage comes out of the last one. */
function ignore(): void {}

function tooLong(file: string, row: number): FeedFailure {
  return new FeedFailure(
    `Cannot read ${file}: a row must be at most ${ROW_BYTES_MAX} bytes long (row ${row})`,
  )
}

function notCsv(file: string, row: number, fault: CsvError): FeedFailure {
  if (fault.code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE')
    return new FeedFailure(
      `Cannot read ${file}: a closing quote must end its cell (row ${row}): double a quote within a cell, and put the cell in quotes`,
      { cause: fault },
    )
  if (fault.code !== 'CSV_QUOTE_NOT_CLOSED' && fault.code !== 'CSV_MAX_RECORD_SIZE')
    return new FeedFailure(`Cannot read ${file}: row ${row} must be CSV: ${fault.message}`, { cause: fault })
  return new FeedFailure(
    `Cannot read ${file}: a quote must be closed within ${ROW_BYTES_MAX} bytes (row ${row}, or soon after it)`,
    { cause: fault },
  )
}
