import { excerpt, type Json } from '../../lib/json.ts'
import { FeedFailure } from '../connector.ts'
import { InvalidData } from '../rejections.ts'

/** A column of a CSV file: a field of a slot as `/v1` serves it, or `timeZone`. */
export interface CsvColumn {
  /** The field; with a dot, a field of `location` or `provider`. */
  readonly name: string
  /** Alternative names. */
  readonly short?: readonly string[]
  /** Description, as in the table of `docs/importing.md`. */
  readonly means: string
  readonly isRequired?: boolean
  /** Values in the two rows of the template. */
  readonly examples: readonly [string, string]
}

/** All columns in the order of the template. */
export const CSV_COLUMNS: readonly CsvColumn[] = [
  {
    name: 'id',
    means: "the publisher's id of the slot; without one, a slot is identified by its schedule and time",
    examples: ['1001', '1002'],
  },
  {
    name: 'status',
    means: '`free` (also if empty), `busy`, `busy-unavailable`, `busy-tentative`; `entered-in-error` is never served',
    examples: ['free', 'free'],
  },
  {
    name: 'start',
    isRequired: true,
    means: 'start: [a date and a time](#times)',
    examples: ['2030-11-21 09:30', '2030-11-21T13:00:00-05:00'],
  },
  {
    name: 'end',
    isRequired: true,
    means: 'end, in the same form',
    examples: ['2030-11-21 10:00', '2030-11-21T13:20:00-05:00'],
  },
  {
    name: 'timeZone',
    means: 'the time zone of times without an offset: `America/New_York`',
    examples: ['America/New_York', ''],
  },
  {
    name: 'scheduleId',
    means:
      'groups slots of one service at one location; by default, slots are grouped by service, location and provider',
    examples: ['flu-main-street', 'dr-rivera'],
  },
  { name: 'serviceTypeCode', means: 'service type, as a code', examples: ['flu', '124'] },
  {
    name: 'serviceTypeText',
    means: 'service type, as text',
    examples: ['Flu vaccination', 'General practice'],
  },
  {
    name: 'appointmentType',
    means: "the publisher's appointment type: `ROUTINE`",
    examples: ['', 'ROUTINE'],
  },
  {
    name: 'acceptingPatients',
    means: '`newpt`, `existptonly`, `existptfam`; slots with `nopt` are never served',
    examples: ['newpt', 'existptonly'],
  },
  {
    name: 'isVirtual',
    means: 'true or false, yes or no: the appointment can be virtual',
    examples: ['no', 'yes'],
  },
  {
    name: 'modalities',
    means: '`in-person`, `virtual`, or both with &#124; between them',
    examples: ['in-person', 'virtual'],
  },
  {
    name: 'bookingDeepLink',
    means: 'booking page of this slot: an http or https URL',
    examples: ['https://clinic.example/book/1001', 'https://clinic.example/book/1002'],
  },
  { name: 'bookingPhone', means: 'phone number for booking', examples: ['617-555-0142', ''] },
  { name: 'capacity', means: 'number of bookings it accepts: an integer from 0', examples: ['3', ''] },
  {
    name: 'serviceStates',
    means: 'states in which the service is licensed, with &#124; between them',
    examples: ['', 'MA|NH'],
  },
  { name: 'location.name', means: 'name of the location', examples: ['Main Street Clinic', ''] },
  { name: 'location.phone', means: 'phone numbers', examples: ['617-555-0100', ''] },
  {
    name: 'location.website',
    short: ['website'],
    means: 'http or https URLs',
    examples: ['https://clinic.example/', ''],
  },
  {
    name: 'location.addressLine',
    short: ['addressLine'],
    means: 'street and number; separate several lines with &#124; or a line break',
    examples: ['1 Main Street|Suite 5', ''],
  },
  { name: 'location.city', short: ['city'], means: 'city', examples: ['Cambridge', ''] },
  {
    name: 'location.state',
    short: ['state'],
    means: 'US state: `MA`, `Mass.` or `Massachusetts`',
    examples: ['MA', ''],
  },
  {
    name: 'location.postalCode',
    short: ['postalCode', 'zip'],
    means: 'ZIP code; a leading zero lost in a spreadsheet is restored',
    examples: ['02139', ''],
  },
  { name: 'location.latitude', short: ['latitude'], means: 'degrees north', examples: ['42.3601', ''] },
  { name: 'location.longitude', short: ['longitude'], means: 'degrees east', examples: ['-71.0942', ''] },
  { name: 'provider.name', means: 'name of the provider', examples: ['', 'Ana Rivera, MD'] },
  {
    name: 'provider.specialty',
    short: ['specialty'],
    means: 'specialty of the provider',
    examples: ['', 'Family medicine'],
  },
  {
    name: 'provider.npi',
    short: ['npi'],
    means: 'National Provider Identifier: ten digits',
    examples: ['', '1234567893'],
  },
]

/** The columns of one file. */
export interface CsvLayout {
  /** By position; undefined for an ignored column. */
  readonly columns: readonly (CsvColumn | undefined)[]
  /** Headers of ignored columns. */
  readonly ignored: readonly string[]
}

/**
 * Matches columns by the header row, in any order, ignoring case, spaces and punctuation. Throws `FeedFailure` if a required
 * column is missing or a column appears twice.
 */
export function layoutOf(head: readonly string[], file: string): CsvLayout {
  const columns = head.map((cell) => BY_NAME.get(folded(cell)))
  const twice = columns.find((column, at) => column !== undefined && columns.indexOf(column) !== at)
  if (twice !== undefined)
    throw new FeedFailure(`Cannot read ${file}: each column must appear once: got "${twice.name}" twice`)
  const missing = CSV_COLUMNS.find((column) => column.isRequired && !columns.includes(column))
  if (missing !== undefined) throw new FeedFailure(missingColumn(missing.name, head, file))
  const ignored = head.filter((cell, at) => columns[at] === undefined && cell.trim() !== '')
  return { columns, ignored }
}

/** A row as a record by field name. Leaves out blank cells. Throws `InvalidData` as `cellValue()` does. */
export function recordOf(cells: readonly string[], { columns }: CsvLayout): Json {
  const record: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const cell = cells[at]
    const name = columns[at]?.name
    if (name === undefined || cell === undefined || cell.trim() === '') continue
    const [first, second] = name.split('.')
    const value = cellValue(cell, name)
    if (second === undefined) record[first] = value
    else {
      record[first] ??= {}
      ;(record[first] as Record<string, unknown>)[second] = value
    }
  }
  return record
}

/** A CSV template: the header and two example rows. */
export function csvTemplate(): string {
  const rows = [
    CSV_COLUMNS.map(({ name }) => name),
    CSV_COLUMNS.map(({ examples }) => examples[0]),
    CSV_COLUMNS.map(({ examples }) => examples[1]),
  ]
  return rows.map((cells) => `${cells.map(cellText).join(',')}\n`).join('')
}

function cellText(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function folded(head: string): string {
  return head.toLowerCase().replace(/[^a-z0-9]/g, '')
}

const BY_NAME: ReadonlyMap<string, CsvColumn> = new Map(
  CSV_COLUMNS.flatMap((column) =>
    [column.name, ...(column.short ?? [])].map((name) => [folded(name), column] as const),
  ),
)

function missingColumn(name: string, head: readonly string[], file: string): string {
  const got = head.slice(0, 12).join(', ').toWellFormed().slice(0, 200)
  const hint = head.length === 1 && /[,;\t|]/.test(got) ? '. Remove quotes around whole lines.' : ''
  return `Cannot read ${file}: the first row must name its columns, ${name} among them: got "${got}"${hint}`
}

/**
 * The original value of a cell: people write `="02139"` to keep leading zeros, and CSV exports of `/v1` write `'+1 617` to
 * prevent formula injection. Throws `InvalidData`, naming the column, for values that a spreadsheet destroyed: `#N/A`,
 * `####`, `6.17555E+09`, a formula.
 */
export function cellValue(cell: string, column: string): string {
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
