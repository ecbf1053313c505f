import { closestWord } from '../../lib/edit-distance.ts'
import { FeedFailure } from '../connector.ts'

/** A column of a CSV file: a field of a slot as `/v1` serves it, or `timeZone`. */
interface CsvColumn {
  /** The field; with a dot, a field of `location` or `provider`. */
  readonly name: string
  /** Alternative names. */
  readonly short?: readonly string[]
  /** Description, as in the table of `docs/importing.md`. */
  readonly means: string
  readonly isRequired?: boolean
  /** Another way to write columns of the template, and not part of it. */
  readonly isAlternative?: boolean
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
    short: ['slotStatus', 'availability'],
    means:
      '`free` (also if empty), `busy`, `busy-unavailable`, `busy-tentative`, or words such as `Open`, `Available`, `Booked` and `Blocked`; `entered-in-error` is never served',
    examples: ['free', 'free'],
  },
  {
    name: 'start',
    short: ['startTime', 'startDateTime', 'time'],
    isRequired: true,
    means: 'start: [a date and a time](#times); or a time, beside the column `date`',
    examples: ['2030-11-21 09:30', '2030-11-21T13:00:00-05:00'],
  },
  {
    name: 'end',
    short: ['endTime', 'endDateTime'],
    isRequired: true,
    means: 'end, in the same form; not needed beside the column `duration`',
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
    short: ['service'],
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
    means: '`in-person`, `virtual`, `phone`, `video`; several with &#124; between them',
    examples: ['in-person', 'virtual'],
  },
  {
    name: 'bookingDeepLink',
    short: ['bookingLink', 'bookingUrl'],
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
  {
    name: 'location.name',
    short: ['location', 'clinic'],
    means: 'name of the location',
    examples: ['Main Street Clinic', ''],
  },
  { name: 'location.phone', short: ['phone'], means: 'phone numbers', examples: ['617-555-0100', ''] },
  {
    name: 'location.website',
    short: ['website'],
    means: 'http or https URLs',
    examples: ['https://clinic.example/', ''],
  },
  {
    name: 'location.addressLine',
    short: ['addressLine', 'address'],
    means: 'street and number; separate several lines with &#124; or a line break',
    examples: ['1 Main Street|Suite 5', ''],
  },
  { name: 'location.city', short: ['city'], means: 'city', examples: ['Cambridge', ''] },
  {
    name: 'location.state',
    short: ['state'],
    means: 'US state: `MA`, `Mass.` or `Massachusetts`; elsewhere an ISO 3166-2 code: `CA-ON`',
    examples: ['MA', ''],
  },
  {
    name: 'location.postalCode',
    short: ['postalCode', 'zip', 'zipCode'],
    means: 'ZIP code; a leading zero lost in a spreadsheet is restored',
    examples: ['02139', ''],
  },
  { name: 'location.latitude', short: ['latitude'], means: 'degrees north', examples: ['42.3601', ''] },
  { name: 'location.longitude', short: ['longitude'], means: 'degrees east', examples: ['-71.0942', ''] },
  {
    name: 'provider.name',
    short: ['provider', 'doctor'],
    means: 'name of the provider',
    examples: ['', 'Ana Rivera, MD'],
  },
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
  {
    name: 'serviceTypes',
    means: 'all service types, each `system&#124;code&#124;display`, with semicolons between them',
    examples: ['', ''],
  },
  alternative('date', ['startDate'], 'the date, if `start` and `end` are times of the day'),
  alternative('endDate', [], 'the date of `end`, if it differs from `date`'),
  alternative(
    'duration',
    ['durationMinutes', 'length'],
    'in place of `end`: minutes, or `45 min`, `1 h 30 min`, `0:45`',
  ),
  alternative('available', ['open'], 'in place of `status`: yes for `free`, no for `busy`'),
  alternative('booked', [], 'in place of `status`: yes for `busy`, no for `free`'),
]

function alternative(name: string, short: readonly string[], means: string): CsvColumn {
  return { name, short, means, isAlternative: true, examples: ['', ''] }
}

/** A column, or a member of a JSON object, that is no field. */
export interface UnknownColumn {
  readonly head: string
  /** A name of a column that the file does not have. */
  readonly guess: string | undefined
}

/** The columns of one file. */
export interface CsvLayout {
  /** By position; undefined for an ignored column. */
  readonly columns: readonly (CsvColumn | undefined)[]
  /** Ignored columns, with the column that is probably meant. */
  readonly ignored: readonly UnknownColumn[]
}

/**
 * Matches columns by the header row, in any order, ignoring case, spaces and punctuation. Throws `FeedFailure` if required
 * columns are missing or a column appears twice.
 */
export function layoutOf(head: readonly string[], file: string): CsvLayout {
  const columns = head.map((cell) => BY_NAME.get(folded(cell)))
  const again = columns.findIndex((column, at) => column !== undefined && columns.indexOf(column) !== at)
  if (again >= 0) throw new FeedFailure(twice(again, columns, head, file))
  const has = (name: string) => columns.some((column) => column?.name === name)
  const missing = ['start', 'end'].filter((name) => !has(name) && !(name === 'end' && has('duration')))
  const names = [...BY_NAME.keys()].filter((name) => !columns.includes(BY_NAME.get(name)))
  const ignored = head
    .filter((cell, at) => columns[at] === undefined && cell.trim() !== '')
    .map((cell) => ({ head: cell, guess: guessColumn(cell, names) }))
  if (missing.length > 0) throw new FeedFailure(missingColumns(missing, { head, ignored }, file))
  return { columns, ignored }
}

/** A CSV template: the header and two example rows. */
export function csvTemplate(): string {
  const columns = CSV_COLUMNS.filter(({ isAlternative }) => !isAlternative)
  const rows = [
    columns.map(({ name }) => name),
    columns.map(({ examples }) => examples[0]),
    columns.map(({ examples }) => examples[1]),
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

/** The note that they were ignored; undefined if there are none. */
export function noteOfUnknown(what: 'columns' | 'members', unknown: readonly UnknownColumn[]): string | undefined {
  if (unknown.length === 0) return undefined
  const named = unknown.slice(0, 20).map(describeUnknown)
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : ''
  return `Unknown ${what} were ignored: ${named.join(', ')}${more}.`
}

/** An unknown column of a file, with a guess: `"slot_id" (did you mean id?)`. */
function describeUnknown({ head, guess }: UnknownColumn): string {
  return `"${head.toWellFormed().slice(0, 40)}"${guess === undefined ? '' : ` (did you mean ${guess}?)`}`
}

/** By a typo, or by a longer name that ends or begins with the column's: `slot_id`, `Start (local)`. `names` are folded. */
export function guessColumn(head: string, names: readonly string[] = [...BY_NAME.keys()]): string | undefined {
  const words = head
    .slice(0, 100)
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z0-9]+/)
  const parts = words.flatMap((_, at) => [words.slice(at), words.slice(0, -at || undefined)])
  const found =
    closestWord(folded(head), names) ?? parts.map((part) => folded(part.join(''))).find((part) => names.includes(part))
  return found === undefined ? undefined : BY_NAME.get(found)?.name
}

function twice(at: number, columns: CsvLayout['columns'], head: readonly string[], file: string): string {
  const [first, second] = [columns.indexOf(columns[at]), at].map((n) => head[n].toWellFormed().slice(0, 60))
  return `Cannot read ${file}: each column must appear once: got "${columns[at]?.name}" twice, as "${first}" and "${second}"`
}

function missingColumns(
  names: readonly string[],
  { head, ignored }: { head: readonly string[]; ignored: readonly UnknownColumn[] },
  file: string,
): string {
  const guessed = ignored.filter(({ guess }) => guess !== undefined && names.includes(guess)).map(describeUnknown)
  const guesses = guessed.length === 0 ? '' : `: ${guessed.join(', ')}`
  const got = head.slice(0, 12).join(', ').toWellFormed().slice(0, 200)
  const hint = head.length === 1 && /[,;\t|]/.test(got) ? '. Remove quotes around whole lines' : ''
  const ways = names.includes('end') ? ' (or duration in place of end)' : ''
  return `Cannot read ${file}: the first row must name its columns, ${names.join(' and ')} among them${ways}: got "${got}"${guesses}${hint}. All names are in the template (import --template)`
}
