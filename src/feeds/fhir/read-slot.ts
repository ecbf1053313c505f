// Hot path: called for every new or changed line of a feed, 3 µs each with parsing.

import { asObject, got, type Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { slotId } from '../../slot/ids.ts'
import { type Instant, parseInstant } from '../../slot/instant.ts'
import {
  type AcceptingPatients,
  type Modality,
  type Offering,
  SLOT_STATUSES,
  type Slot,
  type SlotStatus,
} from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'
import { checkPeriod } from '../slot-bounds.ts'
import { CHANNEL_EXTENSIONS, withChannel } from './channel.ts'
import {
  type Concept,
  conceptOf,
  extensionName,
  extensions,
  idOf,
  isPlainReference,
  phoneText,
  type Target,
  valueCode,
  valueText,
  webLink,
} from './data-types.ts'
import type { Directory } from './directory.ts'
import { describe } from './resource-details.ts'
import type { ScheduleOfferings, SlotOverrides } from './schedule-offerings.ts'
import { SCHEDULING_LOCATION, schedulingLocation } from './scheduling-location.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Reads a Slot resource and resolves its references. Undefined if it is valid but never served: `entered-in-error`, or no
 * patients are accepted (`nopt`). Throws `InvalidData` if it is invalid; with a strict directory also for a capacity as
 * text, an instant that is not RFC 3339, or an unusable link.
 */
export function readSlot(resource: Json, directory: Directory): Slot | undefined {
  const status = readStatus(resource.status)
  const sourceId = idOf(resource, directory.strict)
  const start = readInstant(resource.start, 'start', directory.strict)
  const end = readInstant(resource.end, 'end', directory.strict)
  checkPeriod(start, end)
  if (directory.strict) refuseLooseReference(resource.schedule)
  const schedule = directory.schedule(resource.schedule)
  const own = readSlotExtensions(resource.extension, directory.strict)
  if (status === undefined || own.closed) return undefined
  const slot: Writable<Slot> = {
    id: slotId(directory.publisher, schedule.id, sourceId, { startMs: start.ms, endMs: end.ms }),
    status,
    start: start.text,
    end: end.text,
    startMs: start.ms,
    endMs: end.ms,
    offering: offeringOf(resource, schedule, own),
  }
  if (own.bookingDeepLink !== undefined) slot.bookingDeepLink = own.bookingDeepLink
  if (own.capacity !== undefined) slot.capacity = own.capacity
  const identifier = resource.identifier === undefined ? undefined : describe(resource).details.identifier
  if (identifier !== undefined) slot.identifier = identifier
  return slot
}

/** Most slots have nothing that their Schedule has not. */
function offeringOf(resource: Json, schedule: ScheduleOfferings, own: SlotExtensions): Offering {
  const { bookingPhone, acceptingPatients, modalities, place } = own
  const serviceType = conceptIn(resource.serviceType)
  const specialty = conceptIn(resource.specialty)
  const appointmentType = conceptIn(resource.appointmentType)
  const labels = resource.meta === undefined ? undefined : labelsOf(resource)
  const ofElements = serviceType ?? specialty ?? appointmentType ?? labels
  if ((ofElements ?? acceptingPatients ?? modalities ?? bookingPhone ?? place) === undefined) return schedule.plain()
  const concepts = { serviceType, specialty, appointmentType }
  return schedule.variant({ ...concepts, acceptingPatients, modalities, bookingPhone, place, labels })
}

function labelsOf(resource: Json): SlotOverrides['labels'] {
  const meta = asObject(resource.meta)
  if (meta?.tag === undefined && meta?.security === undefined) return undefined
  const { tag, security } = describe(resource).details
  return (tag ?? security) === undefined ? undefined : defined({ tag, security })
}

/** Undefined for `entered-in-error`. */
function readStatus(status: unknown): SlotStatus | undefined {
  if (status === 'entered-in-error') return undefined
  const known = SLOT_STATUSES.find((one) => one === status)
  if (known === undefined) throw new InvalidData(`status must be one of ${SLOT_STATUSES.join(', ')}: ${got(status)}`)
  return known
}

function readInstant(value: unknown, name: string, strict: boolean): Instant {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  if (instant === undefined) {
    throw new InvalidData(`${name} must be a valid instant with an offset (2026-03-21T10:45:00-04:00): ${got(value)}`)
  }
  if (strict && instant.text !== value) {
    throw new InvalidData(`${name} must be an instant like "${instant.text}": ${got(value)}`)
  }
  return instant
}

function refuseLooseReference(schedule: unknown): void {
  const reference = asObject(schedule)
  if (reference !== undefined && isPlainReference(reference)) return
  throw new InvalidData(`schedule must be a reference "Schedule/id": ${got(reference?.reference)}`)
}

function conceptIn(value: unknown): Concept | undefined {
  return value === undefined ? undefined : conceptOf(value)
}

/** The values of a Slot's extensions. */
interface SlotExtensions {
  bookingDeepLink?: string
  bookingPhone?: string
  capacity?: number
  acceptingPatients?: AcceptingPatients
  /** Empty if no channel is understood. */
  modalities?: readonly Modality[]
  /** Where the slot can be booked. */
  place?: Target
  /** No patients are accepted. */
  closed?: boolean
}

/**
 * Reads the extensions of all three generations by name. The first usable one of several with the same name is used;
 * channels add up. Throws `InvalidData` if `strict` and a value does not conform to the specification.
 */
function readSlotExtensions(list: unknown, strict: boolean): SlotExtensions {
  const own: SlotExtensions = {}
  if (!Array.isArray(list)) return own
  for (let at = 0; at < list.length; at++) {
    const extension = asObject(list[at])
    if (extension !== undefined) readerAt(at, extension.url)?.(own, extension, strict)
  }
  return own
}

type Reader = (own: SlotExtensions, extension: Json, strict: boolean) => void

/**
 * Slots of one feed have the same extensions in the same order: comparing with the URL at the same position in the previous
 * slot is five times cheaper than a lookup.
 */
function readerAt(at: number, url: unknown): Reader | undefined {
  const before = recent[at]
  if (before !== undefined && before.url === url) return before.reader
  const reader = READERS[extensionName(url)]
  if (at < 8) recent[at] = { url, reader }
  return reader
}

const recent: { readonly url: unknown; readonly reader: Reader | undefined }[] = []

/** Without a prototype, so that an extension called `constructor` is unknown. */
const READERS: Readonly<Record<string, Reader>> = Object.assign(Object.create(null), {
  'booking-deep-link': readLink,
  'booking-phone': readPhone,
  'slot-capacity': readCapacity,
  // The republished feed, because the guide has none.
  capacity: readCapacity,
  'patient-type': readPatientType,
  // An alternative discussed for the HL7 guide: the same code, nested one level.
  characteristic: readCharacteristic,
  [SCHEDULING_LOCATION]: readPlace,
  ...Object.fromEntries(CHANNEL_EXTENSIONS.map((name) => [name, readChannel])),
})

function readLink(own: SlotExtensions, extension: Json, strict: boolean): void {
  const text = valueText(extension)
  const link = text === undefined ? undefined : webLink(text)
  if (link !== undefined) own.bookingDeepLink ??= link
  const loose = strict && (link === undefined || typeof extension.valueUrl !== 'string')
  if (loose) throw new InvalidData(`booking-deep-link must be an http or https URL as valueUrl: ${got(text)}`)
}

function readPhone(own: SlotExtensions, extension: Json): void {
  const { system = 'phone', use } = asObject(extension.valueContactPoint) ?? {}
  if ((system !== 'phone' && system !== 'sms') || use === 'old') return
  const text = valueText(extension)
  const phone = text === undefined ? undefined : phoneText(text)
  if (phone !== undefined) own.bookingPhone ??= phone
}

function readCapacity(own: SlotExtensions, extension: Json, strict: boolean): void {
  const { valueInteger, valueString } = extension
  const value =
    valueInteger ?? extension.valuePositiveInt ?? extension.valueUnsignedInt ?? extension.valueDecimal ?? valueString
  const capacity = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  const usable = typeof capacity === 'number' && Number.isSafeInteger(capacity) && capacity >= 0
  if (usable) own.capacity ??= capacity
  const loose = strict && (!usable || typeof valueInteger !== 'number')
  if (loose) throw new InvalidData(`slot-capacity must be an integer from 0 as valueInteger: ${got(value)}`)
}

function readPatientType(own: SlotExtensions, extension: Json): void {
  const code = valueCode(extension)
  if (code === 'nopt') own.closed = true
  if (code === 'newpt' || code === 'existptonly' || code === 'existptfam') own.acceptingPatients ??= code
}

function readPlace(own: SlotExtensions, extension: Json): void {
  const place = schedulingLocation(extension)
  if (place !== undefined) own.place ??= place
}

function readCharacteristic(own: SlotExtensions, extension: Json): void {
  for (const part of extensions(extension, 'acceptingPatients')) readPatientType(own, part)
}

function readChannel(own: SlotExtensions, extension: Json): void {
  own.modalities = withChannel(own.modalities, extension)
}
