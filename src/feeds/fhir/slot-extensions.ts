// Hot path: read for every new or changed line of a feed.

import { asObject, excerpt, type Json } from '../../lib/json.ts'
import type { AcceptingPatients, Modality } from '../../slot/slot.ts'
import { InvalidData } from '../invalid-data.ts'
import { extensionName, extensions, valueCode, valueText } from './extension.ts'
import { phoneText } from './phone.ts'
import { webLink } from './web-link.ts'

/** What the extensions of a Slot say. */
export interface SlotExtensions {
  bookingDeepLink?: string
  bookingPhone?: string
  capacity?: number
  acceptingPatients?: AcceptingPatients
  modalities?: readonly Modality[]
  /** True: no patients are accepted. */
  closed?: boolean
}

/**
 * Reads the extensions of all three generations by name; of several with one name the first that says something stands,
 * channels add up. Throws `InvalidData` if `strict` and a value is not what the specification asks for.
 */
export function readSlotExtensions(list: unknown, strict: boolean): SlotExtensions {
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
 * Slots of one feed have the same extensions in the same order, and to compare with the URL at the same place of the slot
 * before is five times cheaper than to look it up.
 */
function readerAt(at: number, url: unknown): Reader | undefined {
  const before = recent[at]
  if (before !== undefined && before.url === url) return before.reader
  const reader = READERS[extensionName(url)]
  if (at < 8) recent[at] = { url, reader }
  return reader
}

const recent: { readonly url: unknown; readonly reader: Reader | undefined }[] = []

/** Without a prototype, so that an extension called `constructor` is only unknown. */
const READERS: Readonly<Record<string, Reader>> = Object.assign(Object.create(null), {
  'booking-deep-link': readLink,
  'booking-phone': readPhone,
  'slot-capacity': readCapacity,
  'patient-type': readPatientType,
  // An alternative that was discussed for the HL7 guide: the same code, one level down.
  characteristic: readCharacteristic,
  // No generation settled on one name for a Slot's own channel; these are met.
  channel: readChannel,
  'virtual-service': readChannel,
  'virtual-service-base': readChannel,
})

function readLink(own: SlotExtensions, extension: Json, strict: boolean): void {
  const text = valueText(extension)
  const link = text === undefined ? undefined : webLink(text)
  if (link !== undefined) own.bookingDeepLink ??= link
  const loose = strict && (link === undefined || typeof extension.valueUrl !== 'string')
  if (loose)
    throw new InvalidData(
      `booking-deep-link must be an http or https URL as valueUrl: got "${excerpt(text)}"`,
    )
}

function readPhone(own: SlotExtensions, extension: Json): void {
  const text = valueText(extension)
  const phone = text === undefined ? undefined : phoneText(text)
  if (phone !== undefined) own.bookingPhone ??= phone
}

function readCapacity(own: SlotExtensions, extension: Json, strict: boolean): void {
  const { valueInteger, valueString } = extension
  const value =
    valueInteger ??
    extension.valuePositiveInt ??
    extension.valueUnsignedInt ??
    extension.valueDecimal ??
    valueString
  const capacity = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  const usable = typeof capacity === 'number' && Number.isSafeInteger(capacity) && capacity >= 0
  if (usable) own.capacity ??= capacity
  const loose = strict && (!usable || typeof valueInteger !== 'number')
  if (loose)
    throw new InvalidData(`slot-capacity must be an integer from 0 as valueInteger: got "${excerpt(value)}"`)
}

function readPatientType(own: SlotExtensions, extension: Json): void {
  const code = valueCode(extension)
  if (code === 'nopt') own.closed = true
  if (code === 'newpt' || code === 'existptonly' || code === 'existptfam') own.acceptingPatients ??= code
}

function readCharacteristic(own: SlotExtensions, extension: Json): void {
  for (const part of extensions(extension, 'acceptingPatients')) readPatientType(own, part)
}

function readChannel(own: SlotExtensions, extension: Json): void {
  const says = channelOf(extension)
  if (says === undefined) return
  const both = new Set([...(own.modalities ?? []), ...says])
  own.modalities = (['in-person', 'virtual'] as const).filter((modality) => both.has(modality))
}

function channelOf(extension: Json): readonly Modality[] | undefined {
  if (typeof extension.valueBoolean === 'boolean') return extension.valueBoolean ? ['virtual'] : ['in-person']
  // VirtualServiceDetail as an extension of parts: how to connect, so there is something to connect to.
  if (Array.isArray(extension.extension) && extension.extension.length > 0) return ['virtual']
  return CHANNELS.get((valueCode(extension) ?? '').toLowerCase())
}

const CHANNELS: ReadonlyMap<string, readonly Modality[]> = new Map<string, readonly Modality[]>([
  ...['vi', 'virtual', 'video', 'phone', 'telehealth', 'telemedicine', 'online'].map(
    (code) => [code, ['virtual']] as const,
  ),
  ...['ph', 'physical', 'in-person', 'inperson', 'onsite'].map((code) => [code, ['in-person']] as const),
  ['both', ['in-person', 'virtual']],
])
