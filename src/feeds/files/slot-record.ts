import type { Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { slotId } from '../../slot/ids.ts'
import type { Instant } from '../../slot/instant.ts'
import {
  type AcceptingPatients,
  type Location,
  type Modality,
  type Offering,
  type Provider,
  SLOT_STATUSES,
  type Slot,
  type SlotStatus,
} from '../../slot/slot.ts'
import { phoneText, webLink } from '../fhir/data-types.ts'
import { postalCode, stateCode } from '../fhir/state.ts'
import { checkPeriod } from '../slot-bounds.ts'
import { readTime, type TimeRules } from './local-time.ts'
import { type Offerings, RecordFields } from './record-fields.ts'

/** Shared by all records of one file. */
export interface RecordRules extends TimeRules {
  readonly offerings: Offerings
}

/**
 * Reads a slot in the form that `/v1` serves, or a CSV row with the same names. Undefined if it is never served:
 * `entered-in-error`, or no patients are accepted (`nopt`). Throws `InvalidData`, naming the field.
 *
 * Only `start` and `end` are required: the default status is free, a slot without an id is identified by its schedule and
 * time, and slots without a schedule share one if they offer the same. The publisher is always the source that the file is
 * imported into, and part of the slot's id: an import cannot replace a slot of another source.
 */
export function readSlotRecord(record: Json, rules: RecordRules): Slot | undefined {
  const fields = new RecordFields(record)
  const timeRules = { ...rules, timeZone: fields.text('timeZone', 100) ?? rules.timeZone }
  const start = readTime(fields.raw('start'), 'start', timeRules)
  const end = readTime(fields.raw('end'), 'end', timeRules)
  checkPeriod(start, end)
  const status = readWord(fields, 'status', STATUSES) ?? 'free'
  const patients = readWord(fields, 'acceptingPatients', PATIENTS)
  const own = {
    bookingDeepLink: fields.parsed('bookingDeepLink', LINK, webLink),
    capacity: readCapacity(fields),
  }
  const sourceId = readId(fields, 'id') ?? ''
  const offering = readOffering(fields, patients === 'nopt' ? undefined : patients, rules)
  if (status === 'entered-in-error' || patients === 'nopt') return undefined
  return slotOf({ start, end, status, own, sourceId, offering })
}

const STATUSES = [...SLOT_STATUSES, 'entered-in-error'] as const
const PATIENTS = ['newpt', 'existptonly', 'existptfam', 'nopt'] as const
const LINK = 'an http or https URL'

function slotOf(parts: {
  start: Instant
  end: Instant
  status: SlotStatus
  own: { bookingDeepLink: string | undefined; capacity: number | undefined }
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

function readWord<T extends string>(fields: RecordFields, name: string, words: readonly T[]): T | undefined {
  const parse = (text: string) => words.find((word) => word === text.toLowerCase())
  return fields.parsed(name, `one of ${words.join(', ')}`, parse)
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
    throw fields.wrong('capacity', 'digits only, without a thousands separator')
  const capacity = fields.number('capacity', 0, 999_999_999)
  if (capacity !== undefined && !Number.isInteger(capacity)) throw fields.wrong('capacity', 'a whole number')
  return capacity
}

function readOffering(
  fields: RecordFields,
  acceptingPatients: AcceptingPatients | undefined,
  { offerings }: RecordRules,
): Offering {
  const modalities = readModalities(fields)
  return offerings.share(readId(fields, 'scheduleId'), {
    serviceTypeCode: fields.text('serviceTypeCode'),
    serviceTypeText: fields.text('serviceTypeText'),
    appointmentType: fields.text('appointmentType'),
    acceptingPatients,
    bookingPhone: fields.parsed('bookingPhone', PHONE, phoneOf),
    isVirtual: modalities?.includes('virtual') ?? false,
    modalities,
    location: readLocation(fields.within('location')),
    serviceStates: readStates(fields),
    provider: readProvider(fields.within('provider')),
  })
}

const PHONE = 'a telephone number'
const STATE = 'a US state, such as MA or Massachusetts'

/** `isVirtual` must not contradict `modalities`. */
function readModalities(fields: RecordFields): readonly Modality[] | undefined {
  const said = fields.list('modalities', 'in-person, virtual, or both', modalitiesOf)?.flat()
  const modalities = said && (['in-person', 'virtual'] as const).filter((modality) => said.includes(modality))
  const isVirtual = fields.truth('isVirtual')
  if (modalities !== undefined && isVirtual !== undefined && isVirtual !== modalities.includes('virtual'))
    throw fields.wrong('isVirtual', `${!isVirtual}, because modalities is ${modalities.join(' and ')}`)
  return modalities ?? (isVirtual ? ['virtual'] : undefined)
}

function modalitiesOf(text: string): readonly Modality[] | undefined {
  const words = text.toLowerCase().split(/[,;\s]+/)
  const known = words.filter((word) => word === 'in-person' || word === 'virtual')
  return known.length === words.length ? known : undefined
}

function readStates(fields: RecordFields): readonly string[] | undefined {
  const lists = fields.list('serviceStates', `${STATE}; several with | between them`, statesOf)
  return lists && [...new Set(lists.flat())].sort()
}

function statesOf(text: string): readonly string[] | undefined {
  const codes = text.split(/[,;]/).map((part) => stateCode(part))
  return codes.every((code) => code !== undefined) ? codes : undefined
}

function readLocation(fields: RecordFields): Location | undefined {
  const state = fields.parsed('state', STATE, stateCode)
  const zip = fields.text('postalCode', 20)
  if (zip !== undefined && NUMBER_FORMATTED.test(zip)) throw fields.wrong('postalCode', 'a ZIP code such as 02139')
  const location = defined({
    name: fields.text('name'),
    phone: fields.list('phone', PHONE, phoneOf),
    website: fields.list('website', LINK, webLink),
    addressLine: fields.list('addressLine', 'text', (line) => line),
    city: fields.text('city'),
    state,
    postalCode: zip && postalCode(zip, state),
    latitude: fields.number('latitude', -90, 90),
    longitude: fields.number('longitude', -180, 180),
  })
  if ((location.latitude === undefined) !== (location.longitude === undefined)) {
    throw location.latitude === undefined
      ? fields.wrong('latitude', 'present if longitude is')
      : fields.wrong('longitude', 'present if latitude is')
  }
  return Object.keys(location).length > 0 ? location : undefined
}

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
