import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { FeedFailure } from '../connector.ts'
import type { CsvDialect } from './csv-text.ts'

/** A row, numbered as in a spreadsheet: from 1, including the header and blank rows, but not a `sep=` line. */
export interface Row {
  readonly number: number
  readonly cells: readonly string[]
}

/** A slot takes about 600 bytes; a longer row has an unclosed quote, or the file is not CSV. */
const ROW_BYTES_MAX = 2 ** 20

/**
 * Splits CSV (UTF-8) into rows. Quoted cells may contain delimiters, quotes and line breaks; lines may end with CRLF, LF or
 * CR. Buffers one row of about `ROW_BYTES_MAX` at most. Throws `FeedFailure` where quoting becomes ambiguous.
 */
export async function* readRows(
  content: AsyncIterable<Buffer>,
  { delimiter, hasDelimiterLine, file }: Omit<CsvDialect, 'encoding'> & { file: string },
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    // One file may mix them, after edits on another operating system.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // Spaces around quotes; a tab as the delimiter stays.
    trim: true,
    max_record_size: ROW_BYTES_MAX,
  })
  // Spreadsheets neither show nor count a `sep=` line.
  const first = hasDelimiterLine ? 0 : 1
  pipeline(Readable.from(bounded(content, parser, { first, file })), parser, ignore)
  let number = first
  try {
    for await (const cells of parser) {
      if (number > 0) yield { number, cells }
      number++
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(file, first + parser.info.records, error) : error
  } finally {
    parser.destroy()
  }
}

/** The parser's limit counts characters in cells only: ten million empty cells would pass. */
async function* bounded(
  content: AsyncIterable<Buffer>,
  parser: Parser,
  { first, file }: { first: number; file: string },
): AsyncGenerator<Buffer> {
  let rows = 0
  let bytes = 0
  for await (const piece of content) {
    bytes = parser.info.records === rows ? bytes + piece.length : 0
    rows = parser.info.records
    if (bytes > 2 * ROW_BYTES_MAX) throw tooLong(file, first + rows)
    yield piece
  }
}

/** An error of any stage is thrown by the last one. */
function ignore(): void {}

function tooLong(file: string, row: number): FeedFailure {
  return new FeedFailure(`Cannot read ${file}: a row must be at most ${ROW_BYTES_MAX} bytes long (row ${row})`)
}

function notCsv(file: string, row: number, error: CsvError): FeedFailure {
  if (error.code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE')
    return new FeedFailure(
      `Cannot read ${file}: a closing quote must end its cell (row ${row}). Double quotes within a cell, and put the cell in quotes`,
      { cause: error },
    )
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && error.code !== 'CSV_MAX_RECORD_SIZE')
    return new FeedFailure(`Cannot read ${file}: row ${row} must be CSV: ${error.message}`, { cause: error })
  return new FeedFailure(
    `Cannot read ${file}: a quote must be closed within ${ROW_BYTES_MAX} bytes (row ${row} or shortly after)`,
    { cause: error },
  )
}
