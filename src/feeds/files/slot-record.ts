import { type Json, objectsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { slotId } from '../../slot/ids.ts'
import type { Instant } from '../../slot/instant.ts'
import { regionCode } from '../../slot/region.ts'
import {
  type AcceptingPatients,
  type Coding,
  type Identifier,
  type Location,
  MODALITIES,
  type Modality,
  type Offering,
  type Provider,
  SLOT_STATUSES,
  type Slot,
  type SlotStatus,
} from '../../slot/slot.ts'
import { postalCode, STATE_NAMES } from '../../slot/state.ts'
import { codingOf, phoneText, webLink } from '../fhir/data-types.ts'
import { cityName } from '../fhir/location.ts'
import { describe } from '../fhir/resource-details.ts'
import type { TimeRules } from './local-time.ts'
import { RecordFaults } from './record-faults.ts'
import { type Offered, type Offerings, RecordFields } from './record-fields.ts'
import { readPeriod } from './slot-period.ts'

/** Shared by all records of one file. */
export interface RecordRules extends TimeRules {
  readonly offerings: Offerings
}

/**
 * Reads a slot in the form that `/v1` serves, or a CSV row with the same names. Undefined if it is never served:
 * `entered-in-error`, or no patients are accepted (`nopt`). Throws `InvalidData`, naming every invalid field.
 *
 * Only `start` and `end` are required: the default status is free, a slot without an id is identified by its schedule and
 * time, and slots without a schedule share one if they offer the same. The publisher is always the source that the file is
 * imported into, and part of the slot's id: an import cannot replace a slot of another source.
 */
export function readSlotRecord(record: Json, rules: RecordRules, faults = new RecordFaults()): Slot | undefined {
  const fields = new RecordFields(record, faults)
  const timeZone = fields.text('timeZone', 100) ?? rules.timeZone
  const period = readPeriod(fields, { ...rules, timeZone })
  const status = readStatus(fields) ?? 'free'
  const patients = readWord(fields, 'acceptingPatients', PATIENTS)
  const own = {
    bookingDeepLink: fields.parsed('bookingDeepLink', LINK, webLink),
    capacity: readCapacity(fields),
    identifier: readIdentifiers(fields),
  }
  const sourceId = readId(fields, 'id') ?? ''
  const scheduleId = readId(fields, 'scheduleId')
  const offered = readOffered(fields, patients === 'nopt' ? undefined : patients)
  faults.throwAny()
  if (period === undefined) throw new Error('Cannot read slot: it has no period, although no field is invalid')
  const offering = rules.offerings.share(scheduleId, offered)
  if (status === 'entered-in-error' || patients === 'nopt') return undefined
  return slotOf({ ...period, status, own, sourceId, offering })
}

const STATUSES = [...SLOT_STATUSES, 'entered-in-error'] as const
const PATIENTS = ['newpt', 'existptonly', 'existptfam', 'nopt'] as const
const LINK = 'an http or https URL'

function slotOf(parts: {
  start: Instant
  end: Instant
  status: SlotStatus
  own: { [Name in 'bookingDeepLink' | 'capacity' | 'identifier']: Slot[Name] | undefined }
  sourceId: string
  offering: Offering
}): Slot {
  const { start, end, status, own, sourceId, offering } = parts
  return {
    id: slotId(offering.publisher, offering.scheduleId, sourceId, { startMs: start.ms, endMs: end.ms }),
    status,
    start: start.text,
    end: end.text,
    startMs: start.ms,
    endMs: end.ms,
    ...defined(own),
    offering,
  }
}

/** A status as a word, or as yes or no; both must agree. */
function readStatus(fields: RecordFields): (typeof STATUSES)[number] | undefined {
  const parse = (text: string) => STATUSES.find((word) => word === text.toLowerCase()) ?? WORDS.get(text.toLowerCase())
  const must = `one of ${STATUSES.join(', ')} (or Open, Available, Booked, Blocked)`
  const status = fields.parsed('status', must, parse, [...STATUSES, ...WORDS.keys()])
  const isBooked = fields.truth('booked')
  const isAvailable = fields.truth('available') ?? (isBooked === undefined ? undefined : !isBooked)
  if (isBooked === isAvailable && isBooked !== undefined)
    return fields.wrong('booked', `${isBooked ? 'no' : 'yes'}, because available is ${isBooked ? 'yes' : 'no'}`)
  if (isAvailable === undefined) return status
  if (status !== undefined && (status === 'free') !== isAvailable)
    return fields.wrong('status', `${isAvailable ? 'free' : 'busy'}, because the row says so in another column`)
  return status ?? (isAvailable ? 'free' : 'busy')
}

/** Usual words of calendars and booking systems. */
const WORDS: ReadonlyMap<string, SlotStatus> = new Map([
  ...['open', 'available'].map((word) => [word, 'free'] as const),
  ...['booked', 'taken', 'reserved', 'full'].map((word) => [word, 'busy'] as const),
  ...['blocked', 'closed', 'unavailable', 'not available'].map((word) => [word, 'busy-unavailable'] as const),
  ...['tentative', 'on hold'].map((word) => [word, 'busy-tentative'] as const),
])

function readWord<T extends string>(fields: RecordFields, name: string, words: readonly T[]): T | undefined {
  const parse = (text: string) => words.find((word) => word === text.toLowerCase())
  return fields.parsed(name, `one of ${words.join(', ')}`, parse, words)
}

/** The slot's id hashes lines; `text()` has replaced line breaks by spaces. */
function readId(fields: RecordFields, name: string): string | undefined {
  return fields.text(name, 256)
}

/** `1.000` is 1000 or 1, depending on the locale. */
const THOUSANDS = /^\d{1,3}(?:[.,]\d{3})+$/

function readCapacity(fields: RecordFields): number | undefined {
  const written = fields.raw('capacity')
  if (typeof written === 'string' && THOUSANDS.test(written.trim()))
    return fields.wrong('capacity', 'digits only, without a thousands separator')
  const capacity = fields.number('capacity', 0, 999_999_999)
  if (capacity !== undefined && !Number.isInteger(capacity)) return fields.wrong('capacity', 'a whole number')
  return capacity
}

/** Objects with a value, as in `/v1`. */
function readIdentifiers(fields: RecordFields): readonly Identifier[] | undefined {
  const value = fields.raw('identifier')
  return value === undefined ? undefined : describe({ identifier: value }).details.identifier
}

function readOffered(fields: RecordFields, acceptingPatients: AcceptingPatients | undefined): Offered {
  const modalities = readModalities(fields)
  return {
    ...readServiceTypes(fields),
    appointmentType: fields.text('appointmentType'),
    acceptingPatients,
    bookingPhone: fields.parsed('bookingPhone', PHONE, phoneOf),
    isVirtual: modalities?.includes('virtual') ?? false,
    modalities,
    location: readLocation(fields.within('location')),
    serviceStates: readStates(fields),
    provider: readProvider(fields.within('provider')),
  }
}

/** The code and text of the first service type, and all of them. */
function readServiceTypes(fields: RecordFields): Pick<Offered, 'serviceTypeCode' | 'serviceTypeText' | 'serviceTypes'> {
  const [code, text] = [fields.text('serviceTypeCode'), fields.text('serviceTypeText')]
  const listed = readCodings(fields, 'serviceTypes')
  const known = code === undefined ? listed[0] : listed.find((coding) => coding.code === code)
  const first = known ?? defined({ code, display: text })
  if (Object.keys(first).length === 0) return {}
  const others = listed.filter((coding) => coding !== known)
  return { serviceTypeCode: first.code, serviceTypeText: text ?? first.display, serviceTypes: [first, ...others] }
}

/** Objects, or texts `system|code|display` with a semicolon or a line break between them, as in CSV exports. */
function readCodings(fields: RecordFields, name: string): readonly Coding[] {
  const value = fields.raw(name) ?? []
  const written = typeof value === 'string' ? partsOf(value).map(codingFrom) : objectsIn(value)
  const codings = written.map((one) => codingOf(one))
  const isEachOne = codings.every(({ code, display }) => (code ?? display) !== undefined)
  if (isEachOne && (typeof value !== 'object' || written.length === [value].flat().length)) return codings
  fields.wrong(name, 'a list of service types with a code or a display')
  return []
}

/** A display may contain a semicolon. */
function partsOf(text: string): readonly string[] {
  return text.split(text.includes('|') ? /;(?=\s[^;|]*\|[^;|]*\|)\s+|\n/ : /[;\n]/)
}

function codingFrom(text: string): Json {
  const [system, code, ...display] = text.split('|')
  return code === undefined ? { code: system } : { system, code, display: display.join('|') }
}

const PHONE = 'a telephone number'
const STATE = 'a US state, such as MA or Massachusetts, or an ISO 3166-2 code, such as CA-ON'

/** `isVirtual` must not contradict `modalities`. */
function readModalities(fields: RecordFields): readonly Modality[] | undefined {
  const listed = fields.list('modalities', `one or more of ${MODALITIES.join(', ')}`, modalitiesOf, MODALITIES)?.flat()
  const modalities = listed && MODALITIES.filter((modality) => listed.includes(modality))
  const isVirtual = fields.truth('isVirtual')
  if (modalities !== undefined && isVirtual !== undefined && isVirtual !== modalities.includes('virtual'))
    return fields.wrong('isVirtual', `${!isVirtual}, because modalities is ${modalities.join(' and ')}`)
  return modalities ?? (isVirtual ? ['virtual'] : undefined)
}

function modalitiesOf(text: string): readonly Modality[] | undefined {
  const words = text.toLowerCase().split(/[,;\s]+/)
  const known = words.map((word) => MODALITIES.find((modality) => modality === word))
  if (!known.every((modality) => modality !== undefined)) return undefined
  return known.flatMap((modality) => (modality === 'in-person' ? modality : ['virtual', modality]))
}

function readStates(fields: RecordFields): readonly string[] | undefined {
  const lists = fields.list('serviceStates', `${STATE}; several with | between them`, statesOf, STATE_NAMES)
  return lists && [...new Set(lists.flat())].sort()
}

function statesOf(text: string): readonly string[] | undefined {
  const codes = text.split(/[,;]/).map((part) => regionCode(part))
  return codes.every((code) => code !== undefined) ? codes : undefined
}

function readLocation(fields: RecordFields): Location | undefined {
  const state = fields.parsed('state', STATE, (text) => regionCode(text), STATE_NAMES)
  const zip = fields.text('postalCode', 20)
  if (zip !== undefined && NUMBER_FORMATTED.test(zip)) fields.wrong('postalCode', 'a ZIP code such as 02139')
  const location = defined({
    name: fields.text('name'),
    phone: readPhones(fields),
    website: fields.list('website', LINK, webLink),
    addressLine: fields.list('addressLine', 'text', (line) => line),
    city: cityName(fields.text('city')),
    state,
    postalCode: zip && postalCode(zip, state),
    latitude: fields.number('latitude', -90, 90),
    longitude: fields.number('longitude', -180, 180),
  })
  if ((location.latitude === undefined) !== (location.longitude === undefined)) {
    if (location.latitude === undefined) fields.wrong('latitude', 'present if longitude is')
    else fields.wrong('longitude', 'present if latitude is')
  }
  return Object.keys(location).length > 0 ? location : undefined
}

/** A cell may list several numbers: `617-555-0100 / 617-555-0101`. */
function readPhones(fields: RecordFields): readonly string[] | undefined {
  const lists = fields.list('phone', PHONE, (text) => {
    const parts = text.split(/[/,]/).map((part) => part.trim())
    return parts.every((part) => WHOLE_PHONE.test(part) && phoneOf(part) !== undefined) ? parts : phoneOf(text)
  })
  return lists && [...new Set(lists.flat())]
}

/** With its area code, and without words or an extension. */
const WHOLE_PHONE = /^\+?(?:[\s().-]*\d){10,15}$/

function readProvider(fields: RecordFields): Provider | undefined {
  const provider = defined({
    name: fields.text('name'),
    specialty: fields.text('specialty'),
    npi: fields.parsed('npi', 'ten digits', (text) => (/^\d{10}$/.test(text) ? text : undefined)),
  })
  return Object.keys(provider).length > 0 ? provider : undefined
}

/** `2139.0`, `2,139`: number formatting, in no country's postal codes. */
const NUMBER_FORMATTED = /^\d{1,5}[.,]\d{1,4}$/

/** A phone number formatted as a number: `6.1755E9`, `6175550142.0`, `6,175,550,142`. */
const NUMBERED_PHONE = /^(?:\d(?:[.,]\d+)?E\+?\d+|\d{7,}[.,]0+|\d{1,3}(?:[.,]\d{3}){3,})$/i

function phoneOf(text: string): string | undefined {
  return NUMBERED_PHONE.test(text) ? undefined : phoneText(text)
}
