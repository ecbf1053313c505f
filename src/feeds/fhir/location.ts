import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { regionCode } from '../../slot/region.ts'
import type { Coding, Location } from '../../slot/slot.ts'
import { isUsCountry, postalCode } from '../../slot/state.ts'
import { conceptOf, extensions, parseReference, phoneText, type Target, valueText, webLink } from './data-types.ts'
import { hasEnded } from './period.ts'
import type { ReadingRules } from './resources.ts'

/** The fields of a Location that slots need. */
export interface ParsedLocation {
  /** How its physical type says it is attended; absent if it says nothing. */
  readonly attendance?: 'in-person' | 'virtual'
  /** Absent if the resource has no usable field. The address of a virtual Location is part of it, but not of its slots. */
  readonly location?: Location
  readonly physicalType?: readonly Coding[]
  /** The web addresses of video visits; they are websites, too. */
  readonly virtualService?: readonly string[]
  /** The states where it is licensed: see `regionCode()`. */
  readonly licensedStates: readonly string[]
  /** The Location whose address it has if it has none. */
  readonly partOf?: Target
}

/** Never throws: leaves out unusable fields, so that the slots at the location can be served. */
export function parseLocation(resource: Json, { nowMs }: Pick<ReadingRules, 'nowMs'>): ParsedLocation {
  const location = readLocation(resource, nowMs)
  const [partOf] = objectsIn(resource.partOf)
  const physicalType = conceptOf(objectsIn(resource.physicalType))?.codings
  return {
    ...defined({
      attendance: attendanceOf(physicalType ?? []),
      location: Object.keys(location).length > 0 ? location : undefined,
      physicalType,
      virtualService: some([...new Set(virtualAddresses(resource))]),
      partOf: partOf && parseReference(partOf),
    }),
    licensedStates: extensions(resource, 'licensed-states').flatMap(statesOf),
  }
}

/** Name, phone numbers and web addresses: all that a virtual slot has of a location. Undefined without any. */
export function contactOf({ name, phone, website }: Location): Location | undefined {
  const contact = defined({ name, phone, website })
  return Object.keys(contact).length > 0 ? contact : undefined
}

/** By code, of any system: systems differ between the generations. */
export function attendanceOf(physicalType: readonly Coding[]): ParsedLocation['attendance'] {
  const codes = physicalType.map(({ code }) => code)
  if (codes.includes('vi')) return 'virtual'
  return codes.some((code) => PHYSICAL_TYPES.has(code ?? '')) ? 'in-person' : undefined
}

/** `ph` of SMART Scheduling Links, and the buildings, rooms and vehicles of FHIR. An area or jurisdiction is no place to go to. */
const PHYSICAL_TYPES: ReadonlySet<string> = new Set([
  'ph',
  'si',
  'bu',
  'wi',
  'wa',
  'lvl',
  'co',
  'ro',
  'bd',
  've',
  'ho',
  'ca',
])

/** The guide requires one state per repetition; lists with commas are accepted too. */
function statesOf(extension: Json): string[] {
  const texts = (valueText(extension) ?? '').split(/[,;|]/)
  return texts.map((text) => regionCode(text)).filter((code) => code !== undefined)
}

function readLocation(resource: Json, nowMs: number): Location {
  const address = objectsIn(resource.address)[0] ?? {}
  const country = asText(address.country)
  const inUs = isUsCountry(country)
  // WA is Washington, but not in Australia.
  const state = regionCode(asText(address.state) ?? '', country)
  const contacts = currentContacts(resource, nowMs)
  return defined({
    name: asText(resource.name),
    phone: some(usable(contacts, 'phone', phoneText)),
    website: some([...new Set([...usable(contacts, 'url', webLink), ...virtualAddresses(resource)])]),
    addressLine: some(textsIn(address.line)),
    city: cityName(address.city),
    state,
    postalCode: zip(asText(address.postalCode), inUs, state),
    ...positionOf(resource),
  })
}

/** In Unicode NFC, so that a name has one spelling however its accents are encoded. */
export function cityName(value: unknown): string | undefined {
  return asText(value)?.normalize()
}

function some(texts: readonly string[]): readonly string[] | undefined {
  return texts.length > 0 ? texts : undefined
}

/** Without old and ended ones, by rank: the preferred first, those without a rank last. */
function currentContacts(resource: Json, nowMs: number): readonly Json[] {
  const rankOf = ({ rank }: Json) => (typeof rank === 'number' && rank > 0 ? rank : Number.MAX_VALUE)
  return objectsIn(resource.telecom)
    .filter(({ use, period }) => use !== 'old' && !hasEnded(period, nowMs))
    .sort((a, b) => rankOf(a) - rankOf(b))
}

function usable(contacts: readonly Json[], system: string, read: (text: string) => string | undefined): string[] {
  const texts = textsIn(contacts.filter((contact) => contact.system === system).map(({ value }) => value))
  return [...new Set(texts.map(read).filter((text) => text !== undefined))]
}

/** R5's `Location.virtualService` as an extension of R4. */
const VIRTUAL_SERVICE = 'extension-Location.virtualService'

/** The web addresses of R5's `virtualService`, and of the extensions of R4 with its content. */
function virtualAddresses(resource: Json): string[] {
  const services = [...extensions(resource, 'virtual-service'), ...extensions(resource, VIRTUAL_SERVICE)]
  const details = services.flatMap((detail) => [...extensions(detail, 'address'), ...extensions(detail, 'address[x]')])
  const texts = [
    ...objectsIn(resource.virtualService).map(({ addressUrl, addressString }) => asText(addressUrl ?? addressString)),
    ...details.map(valueText),
  ]
  return texts.map((text) => (text === undefined ? undefined : webLink(text))).filter((link) => link !== undefined)
}

function zip(text: string | undefined, inUs: boolean, state: string | undefined): string | undefined {
  return text === undefined || !inUs ? text : postalCode(text, state)
}

/** Both coordinates or none, in degrees, within their ranges. */
function positionOf(resource: Json): { latitude?: number; longitude?: number } {
  const { latitude, longitude } = asObject(resource.position) ?? {}
  const [north, east] = [degrees(latitude, 90), degrees(longitude, 180)]
  return north === undefined || east === undefined ? {} : { latitude: north, longitude: east }
}

function degrees(value: unknown, limit: number): number | undefined {
  const number = typeof value === 'string' && /^\s*[+-]?\d/.test(value) ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= limit ? number : undefined
}
