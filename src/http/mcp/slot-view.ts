import { isObject } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { JsonSchema } from '../../slot/query-parameter.ts'
import type { Coding } from '../../slot/slot.ts'
import { cleanLink, cleanText } from './clean-text.ts'
import { COUNT, type ObjectSchema, objectOf, STRING } from './tool.ts'

const TEXTS = [
  'status',
  'service',
  'serviceTypeCode',
  'acceptingPatients',
  'provider',
  'specialty',
  'place',
  'address',
  'phone',
  'publisher',
  'bookingDeepLink',
  'bookingPhone',
] as const

/** A slot for an assistant: what a person needs to choose and book it, with cleaned texts. */
export type SlotView = { readonly [Name in (typeof TEXTS)[number]]?: string } & {
  readonly id: string
  /** As published: RFC 3339 with the location's offset. */
  readonly start: string
  readonly end: string
  /** Start and end as text, in the location's time. */
  readonly when: string
  readonly isVirtual: boolean
  /** Absent if the publisher does not specify. */
  readonly attend?: string
  readonly capacity?: number
  readonly serviceTypes?: readonly Coding[]
}

const SERVICE_TYPES: JsonSchema = {
  type: 'array',
  items: objectOf({}, { system: STRING, code: STRING, display: STRING }),
}

/** The JSON Schema of a `SlotView`. */
export const SLOT_VIEW: ObjectSchema = objectOf(
  {
    id: STRING,
    start: STRING,
    end: STRING,
    when: STRING,
    isVirtual: { type: 'boolean' },
  },
  {
    ...Object.fromEntries(TEXTS.map((name) => [name, STRING])),
    attend: { ...STRING, examples: ['in person', 'virtual by video', 'in person or virtual'] },
    capacity: COUNT,
    serviceTypes: SERVICE_TYPES,
  },
)

/** The view of a slot as returned by `/v1`. */
export function viewSlot(slot: Readonly<Record<string, unknown>>): SlotView {
  const location = isObject(slot.location) ? slot.location : {}
  const provider = isObject(slot.provider) ? slot.provider : {}
  const [start, end] = [cleanText(slot.start) ?? '', cleanText(slot.end) ?? '']
  return defined({
    id: cleanText(slot.id) ?? '',
    status: cleanText(slot.status),
    start,
    end,
    when: formatPeriod(start, end),
    isVirtual: slot.isVirtual === true,
    attend: attendOf(slot),
    service: cleanText(slot.serviceTypeText),
    serviceTypeCode: cleanText(slot.serviceTypeCode),
    serviceTypes: serviceTypesOf(slot.serviceTypes),
    acceptingPatients: cleanText(slot.acceptingPatients),
    provider: cleanText(provider.name),
    specialty: cleanText(provider.specialty),
    place: cleanText(location.name),
    address: addressOf(location),
    phone: cleanText(Array.isArray(location.phone) ? location.phone[0] : undefined),
    publisher: cleanText(slot.publisher),
    bookingDeepLink: cleanLink(slot.bookingDeepLink),
    bookingPhone: cleanText(slot.bookingPhone),
    capacity: typeof slot.capacity === 'number' ? slot.capacity : undefined,
  }) as SlotView
}

/** Formats a slot in a few lines. */
export function formatSlot(slot: SlotView): string {
  const { service, serviceTypeCode: code, provider, specialty, place, address, status } = slot
  const what = [service ?? 'Appointment', code && `(service type ${code})`]
  const who = [provider, specialty].filter(Boolean).join(', ')
  const where = [place, address].filter(Boolean).join(', ')
  const lines = [
    [slot.when, what.filter(Boolean).join(' '), ...(status === 'free' ? [] : [`status: ${status}`])].join(' | '),
    [who && `with ${who}`, slot.attend, where && `at ${where}`].filter(Boolean).join(' | '),
    ...patientsOf(slot),
    `book: ${bookingOf(slot)}`,
    `id: ${slot.id} | publisher: ${slot.publisher ?? 'unknown'}`,
  ]
  return lines.filter((line) => line !== '').join('\n  ')
}

function serviceTypesOf(types: unknown): readonly Coding[] | undefined {
  if (!Array.isArray(types)) return undefined
  return types
    .filter(isObject)
    .map(({ system, code, display }) =>
      defined({ system: cleanText(system), code: cleanText(code), display: cleanText(display) }),
    )
}

function attendOf({ modalities }: Readonly<Record<string, unknown>>): SlotView['attend'] {
  if (!Array.isArray(modalities)) return undefined
  if (!modalities.includes('virtual')) return 'in person'
  const details = ['phone', 'video'].filter((detail) => modalities.includes(detail)).join(' or ')
  const virtual = details === '' ? 'virtual' : `virtual by ${details}`
  return modalities.includes('in-person') ? `in person or ${virtual}` : virtual
}

function addressOf(location: Readonly<Record<string, unknown>>): string | undefined {
  const lines = Array.isArray(location.addressLine) ? location.addressLine.slice(0, 3) : []
  const region = [location.state, location.postalCode].map((part) => cleanText(part)).filter(Boolean)
  const parts = [...lines.map((line) => cleanText(line)), cleanText(location.city), region.join(' ')]
  return cleanText(parts.filter(Boolean).join(', '))
}

/** As HL7's code system `accepting-patients` defines them. */
const PATIENTS: Readonly<Record<string, string>> = {
  newpt: 'new and existing patients',
  existptonly: 'existing patients only',
  existptfam: 'existing patients and their families only',
}

function patientsOf({ acceptingPatients: patients }: SlotView): string[] {
  return patients === undefined ? [] : [`for: ${PATIENTS[patients] ?? patients}`]
}

function bookingOf({ bookingDeepLink: link, bookingPhone, phone }: SlotView): string {
  const call = bookingPhone ?? (link === undefined ? phone : undefined)
  return (
    [link, call && `phone ${call}`].filter(Boolean).join(' or ') ||
    'the publisher provides no booking link or phone number'
  )
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^Z+-]*(Z|[+-]\d\d:\d\d)$/

/** Formats two RFC 3339 instants in the offset of the first: `Mon 2026-06-01 09:00-09:15 (UTC-04:00)`. Other texts stay as they are. */
export function formatPeriod(start: string, end: string): string {
  const [, date, time, offset] = INSTANT.exec(start) ?? []
  if (date === undefined) return `${start} to ${end}`
  const [, endDate, endTime, endOffset] = INSTANT.exec(end) ?? []
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const till = endDate === date && endOffset === offset ? `-${endTime}` : ` to ${end}`
  return `${day} ${date} ${time}${till} (${offset === 'Z' ? 'UTC' : `UTC${offset}`})`
}
