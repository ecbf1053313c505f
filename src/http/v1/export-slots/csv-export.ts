// Hot path
import { csvCell } from '../../../lib/csv.ts'
import type { Coding, Offering } from '../../../slot/slot.ts'
import type { SnapshotChunk } from '../../../slot-index/snapshots/snapshot-chunk.ts'
import type { SnapshotReader } from '../../../slot-index/snapshots/snapshot-reader.ts'
import { OfferingCache } from './offering-cache.ts'
import { SlotJsonFields } from './slot-json-fields.ts'
import { ChunkBuffer, SnapshotEncoder } from './snapshot-chunks.ts'

/** About 80 kB, and the time of an NDJSON chunk; longer at first, while the offerings are not cached. */
const ROWS_MAX = 128

/** The columns of the slot itself, in the order of its JSON. */
const SLOT_COLUMNS = ['id', 'status', 'start', 'end', 'bookingDeepLink', 'capacity'] as const

type OfferingCell = string | number | boolean | readonly string[] | undefined

/** The columns of the offering, by the name of the JSON field. */
const OFFERING_COLUMNS: Readonly<Record<string, (offering: Offering) => OfferingCell>> = {
  publisher: ({ publisher }) => publisher,
  scheduleId: ({ scheduleId }) => scheduleId,
  serviceTypeCode: ({ serviceTypeCode }) => serviceTypeCode,
  serviceTypeText: ({ serviceTypeText }) => serviceTypeText,
  appointmentType: ({ appointmentType }) => appointmentType,
  acceptingPatients: ({ acceptingPatients }) => acceptingPatients,
  bookingPhone: ({ bookingPhone }) => bookingPhone,
  isVirtual: ({ isVirtual }) => isVirtual,
  modalities: ({ modalities }) => modalities,
  'location.name': ({ location }) => location?.name,
  'location.phone': ({ location }) => location?.phone,
  'location.website': ({ location }) => location?.website,
  'location.addressLine': ({ location }) => location?.addressLine,
  'location.city': ({ location }) => location?.city,
  'location.state': ({ location }) => location?.state,
  'location.postalCode': ({ location }) => location?.postalCode,
  'location.latitude': ({ location }) => location?.latitude,
  'location.longitude': ({ location }) => location?.longitude,
  serviceStates: ({ serviceStates }) => serviceStates,
  'provider.name': ({ provider }) => provider?.name,
  'provider.specialty': ({ provider }) => provider?.specialty,
  'provider.npi': ({ provider }) => provider?.npi,
  serviceTypes: ({ serviceTypes }) => serviceTypes?.map(formatCoding),
}

const HEADER = `${[...SLOT_COLUMNS, ...Object.keys(OFFERING_COLUMNS)].join(',')}\r\n`

/** Slots as CSV (RFC 4180): a header line, then one line per slot. The cells of an offering are encoded once and copied. */
export class CsvExport extends SnapshotEncoder {
  readonly #memory = new ChunkBuffer()
  readonly #offerings = new OfferingCache(ROWS_MAX, offeringCells)
  readonly #fields = new SlotJsonFields()
  #hasHeader = false

  constructor(reader: SnapshotReader) {
    super(reader, ROWS_MAX)
  }

  override next(): Buffer | undefined {
    if (this.#hasHeader) return super.next()
    this.#hasHeader = true
    return Buffer.from(HEADER)
  }

  protected override encode(chunk: SnapshotChunk): Buffer {
    const { json, starts, count } = chunk
    // The cells of a slot are at most twice as long as its JSON, if every character of its link is a quote.
    const memory = this.#memory.ofLength(chunk.byteLength * 2 + this.#offerings.gather(chunk))
    let end = 0
    for (let n = 0; n < count; n++) {
      this.#fields.read(json, starts[n * 2], starts[n * 2 + 1])
      end = writeSlotCells(json, this.#fields, memory, end)
      const cells = this.#offerings.gathered[n]
      cells.copy(memory, end)
      end += cells.length
    }
    return memory.subarray(0, end)
  }
}

/** The cells of an offering, each after a comma, and the end of the line. */
function offeringCells(offering: Offering): string {
  let cells = ''
  for (const cellOf of Object.values(OFFERING_COLUMNS)) cells += `,${format(cellOf(offering))}`
  return `${cells}\r\n`
}

/** `system|code|display`, the form in which imports read it. */
function formatCoding({ system = '', code = '', display = '' }: Coding): string {
  return `${system}|${code}|${display}`
}

/** Numbers and booleans cannot be formulas. */
function format(cell: OfferingCell): string {
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  return csvCell(typeof cell === 'string' || cell === undefined ? cell : cell.join('; '))
}

const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Writes the cells of a slot from its JSON. Returns the end. */
function writeSlotCells(json: Buffer, fields: SlotJsonFields, memory: Buffer, at: number): number {
  let end = copyPlain(json, fields.idFrom, fields.idTo, { memory, at })
  memory[end++] = COMMA
  end = copyPlain(json, fields.statusFrom, fields.statusTo, { memory, at: end })
  memory[end++] = COMMA
  end = copyPlain(json, fields.startFrom, fields.startTo, { memory, at: end })
  memory[end++] = COMMA
  end = copyPlain(json, fields.endFrom, fields.endTo, { memory, at: end })
  memory[end++] = COMMA
  if (fields.linkTo > fields.linkFrom) end = writeLink(json, fields, memory, end)
  memory[end++] = COMMA
  return copyPlain(json, fields.capacityFrom, fields.capacityTo, { memory, at: end })
}

/** Copies text that needs no quotes. A loop is faster than Buffer.copy() for so few bytes. */
function copyPlain(json: Buffer, from: number, to: number, { memory, at }: { memory: Buffer; at: number }): number {
  let end = at
  for (let n = from; n < to; n++) memory[end++] = json[n]
  return end
}

/** A JSON string without a backslash is a quoted CSV cell; a link begins with `http`, so it is not a formula. */
function writeLink(json: Buffer, { linkFrom, linkTo }: SlotJsonFields, memory: Buffer, at: number): number {
  if (!hasEscape(json, linkFrom, linkTo)) return at + json.copy(memory, at, linkFrom, linkTo)
  return at + memory.write(csvCell(JSON.parse(json.toString('utf8', linkFrom, linkTo))), at)
}

function hasEscape(json: Buffer, from: number, to: number): boolean {
  for (let n = from; n < to; n++) if (json[n] === BACKSLASH) return true
  return false
}
