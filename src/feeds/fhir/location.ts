import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import type { Location } from '../../slot/slot.ts'
import { conceptOf, extensions, phoneText, valueText, webLink } from './data-types.ts'
import { postalCode, stateCode } from './state.ts'

/** The fields of a Location that slots need. */
export interface ParsedLocation {
  readonly virtual: boolean
  /** Absent if the resource has no usable field. */
  readonly location?: Location
  /** The state of its address. */
  readonly state?: string
  /** Two-letter codes of the states where it is licensed. */
  readonly licensedStates: readonly string[]
}

/** Never throws: leaves out unusable fields, so that the slots at the location can be served. */
export function parseLocation(resource: Json): ParsedLocation {
  const location = readLocation(resource)
  return {
    virtual: objectsIn(resource.physicalType).some(isVirtual),
    ...(Object.keys(location).length > 0 ? { location } : {}),
    ...(location.state === undefined ? {} : { state: location.state }),
    licensedStates: extensions(resource, 'licensed-states').flatMap(statesOf),
  }
}

/** True for code `vi` of any system: systems differ between the generations. */
function isVirtual(physicalType: Json): boolean {
  return objectsIn(physicalType.coding).some(({ code }) => code === 'vi') || conceptOf(physicalType)?.code === 'vi'
}

/** The guide requires one state per repetition; lists with commas are accepted too. */
function statesOf(extension: Json): string[] {
  const texts = (valueText(extension) ?? '').split(/[,;|]/)
  return texts.map(stateCode).filter((code) => code !== undefined)
}

function readLocation(resource: Json): Location {
  const address = objectsIn(resource.address)[0] ?? {}
  const inUs = isOfUs(asText(address.country))
  // WA is Washington, but not in Australia.
  const state = inUs ? stateCode(asText(address.state) ?? '') : undefined
  const contacts = objectsIn(resource.telecom)
  const parts = {
    name: asText(resource.name),
    phone: some(usable(contacts, 'phone', phoneText)),
    website: some(usable(contacts, 'url', webLink)),
    addressLine: some(textsIn(address.line)),
    city: asText(address.city),
    state,
    postalCode: zip(asText(address.postalCode), inUs, state),
    ...positionOf(resource),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

function some(texts: readonly string[]): readonly string[] | undefined {
  return texts.length > 0 ? texts : undefined
}

function usable(contacts: readonly Json[], system: string, read: (text: string) => string | undefined): string[] {
  const texts = textsIn(contacts.filter((contact) => contact.system === system).map(({ value }) => value))
  return [...new Set(texts.map(read).filter((text) => text !== undefined))]
}

function zip(text: string | undefined, inUs: boolean, state: string | undefined): string | undefined {
  return text === undefined || !inUs ? text : postalCode(text, state)
}

/** US territories have separate country codes. An address without a country is taken for one in the US. */
function isOfUs(country: string | undefined): boolean {
  return country === undefined || US.test(country.replaceAll('.', ''))
}

const US = /^(?:usa?|um|united states.*|america|pr|vi|gu|as|mp|pri|vir|gum|asm|mnp|puerto rico|guam)$/i

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
