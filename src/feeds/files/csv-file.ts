import { FeedFailure } from '../connector.ts'
import { InvalidData, rejectionOf } from '../rejections.ts'
import { type CsvLayout, layoutOf, noteOfUnknown } from './csv-columns.ts'
import { recordOf } from './csv-record.ts'
import { type Row, readRows } from './csv-rows.ts'
import { type CsvDialect, detectCsvDialect, inUtf8 } from './csv-text.ts'
import { type FileReadOptions, LINES_PER_FLUSH } from './file-reading.ts'
import { RecordFaults } from './record-faults.ts'
import { Offerings } from './record-fields.ts'
import { type RecordRules, readSlotRecord } from './slot-record.ts'
import { surveyTable } from './table-survey.ts'
import { type LineEnd, readContent, watchLineEnd } from './uploaded-file.ts'

/** Reads a CSV file with a header and one slot per row, in two passes. Throws `FeedFailure` without a header. */
export async function readCsvFile(reading: FileReadOptions, beginning: Buffer): Promise<void> {
  const { file, bytesMax, signal, draft, source, notes } = reading
  const form = await detectCsvDialect(file, beginning, { bytesMax, signal })
  if (form.encoding === 'windows-1252')
    notes.add('The file is not UTF-8 and was read as Windows-1252 (a superset of Latin-1).')
  if (form.delimiter !== ',')
    notes.add(`The columns are separated by ${DELIMITER_NAMES[form.delimiter] ?? form.delimiter}.`)
  notes.dialect = form
  const first = await openTable(reading, form)
  notes.add(noteOfUnknown('columns', first.layout.ignored))
  const { dates, merged } = await surveyTable(first.rows, first.layout, {
    file: file.name,
    dateOrder: reading.dateOrder,
  })
  notes.add(dates?.why)
  const { layout, rows, end } = await openTable(reading, form)
  const rules = { ...reading, dateOrder: reading.dateOrder ?? dates?.order, offerings: new Offerings(source.slug) }
  const filler = merged.filler()
  let sinceFlush = 0
  let last: Row | undefined
  for await (const row of rows) {
    last = row
    takeRow(filler.fill(row), layout, reading, rules)
    if (++sinceFlush < LINES_PER_FLUSH) continue
    sinceFlush = 0
    await draft.flush()
  }
  for (const note of filler.notes) notes.add(note)
  if (last !== undefined && !end.isThere) refuseCutOff(last, layout, file.name)
}

interface Table {
  readonly head: readonly string[]
  readonly layout: CsvLayout
  /** The rows below the header that are not blank. */
  readonly rows: AsyncIterable<Row>
  readonly end: LineEnd
}

/** Reads the header. Throws `FeedFailure` without one. */
export async function openTable(
  { file, bytesMax, signal }: Pick<FileReadOptions, 'file' | 'bytesMax' | 'signal'>,
  form: CsvDialect,
): Promise<Table> {
  const end = { isThere: true }
  const content = watchLineEnd(inUtf8(readContent(file, bytesMax), form.encoding), end)
  const rows = filledRows(readRows(content, { ...form, file: file.name }), signal)
  const head = await rows.next()
  if (head.done === true) throw new FeedFailure(`Cannot read ${file.name}: the first row must name its columns`)
  try {
    return { head: head.value.cells, layout: layoutOf(head.value.cells, file.name), rows, end }
  } catch (error) {
    await rows.return(undefined)
    throw error
  }
}

async function* filledRows(rows: AsyncIterable<Row>, signal: AbortSignal): AsyncGenerator<Row, undefined> {
  for await (const row of rows) {
    if (row.number % LINES_PER_FLUSH === 0) signal.throwIfAborted()
    if (!isBlank(row)) yield row
  }
  return undefined
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

function isBlank({ cells }: Row): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/** A last row that has no line end and fewer cells than the header means a truncated download. */
function refuseCutOff({ cells, number }: Row, { columns }: CsvLayout, file: string): void {
  const width = columns.findLastIndex((column) => column !== undefined) + 1
  if (cells.length >= width) return
  throw new FeedFailure(
    `Cannot read ${file}: it is truncated: its last row, ${number}, has ${cells.length} of ${width} cells and no line end`,
  )
}

function takeRow(row: Row, layout: CsvLayout, { draft, file }: FileReadOptions, rules: RecordRules): void {
  const at = { file: file.name, line: row.number }
  try {
    refuseMoreCells(row, layout)
    const faults = new RecordFaults()
    const slot = readSlotRecord(recordOf(row.cells, layout, faults), rules, faults)
    // No fingerprints: an uploaded file is always read completely.
    if (slot === undefined) draft.withhold()
    else draft.put(slot, { ...at, part: 0, fingerprint: 0 })
  } catch (error) {
    draft.reject(rejectionOf(error, { what: 'row', ...at, sample: row.cells.slice(0, 100).join(', ') }))
  }
}

/** An unquoted delimiter inside a cell shifts all following cells into wrong columns. */
function refuseMoreCells({ cells }: Row, { columns }: CsvLayout): void {
  const count = cells.findLastIndex((cell) => cell.trim() !== '') + 1
  if (count <= columns.length) return
  throw new InvalidData(
    `it must have at most ${columns.length} cells, like the header: got "${count}". Put cells that contain a delimiter in quotes`,
  )
}
