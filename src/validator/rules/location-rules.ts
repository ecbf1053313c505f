import { type ParsedLocation, parseLocation } from '../../feeds/fhir/location.ts'
import { phoneFault, phoneText } from '../../feeds/fhir/phone.ts'
import { webLink } from '../../feeds/fhir/web-link.ts'
import { asObject, asText, type Json, objectsIn } from '../../lib/json.ts'
import { got, textOrNothing } from '../quoted-value.ts'
import type { Rule } from '../rule.ts'
import { mayHaveZip } from '../zip-prefixes.ts'
import type { ResourceSubject } from './resource-rules.ts'

/** A Location, and what becomes of it. */
export interface LocationSubject extends ResourceSubject {
  readonly place: ParsedLocation
}

/** A Location as its rules see it. */
export function locationSubject(subject: ResourceSubject): LocationSubject {
  return { ...subject, place: parseLocation(subject.resource) }
}

const addressOf = (resource: Json): Json => objectsIn(resource.address)[0] ?? {}
const contacts = (resource: Json, system: string): string[] =>
  objectsIn(resource.telecom)
    .filter((contact) => contact.system === system)
    .map(({ value }) => asText(value) ?? '')

/** What a Location must be. */
export const LOCATION_RULES: readonly Rule<LocationSubject>[] = [
  {
    id: 'location-name',
    severity: 'warning',
    right: '`name` is the common name of the location',
    source: 'Location file: name; guide: Location profile',
    find: ({ resource: { name } }) => (asText(name) === undefined ? got('name', name) : undefined),
  },
  {
    id: 'location-telecom',
    severity: 'warning',
    right: '`telecom` has at least one contact',
    source: 'Location file: telecom; guide: Location profile',
    find: ({ resource: { telecom } }) =>
      objectsIn(telecom).length === 0 ? got('telecom', telecom) : undefined,
  },
  {
    id: 'location-telecom-system',
    severity: 'warning',
    right: 'each `telecom` has a system and a value; others are dropped',
    source: 'Location file: telecom; FHIR R4: ContactPoint, cpt-2',
    find: ({ resource: { telecom } }) => {
      const at = objectsIn(telecom).findIndex(
        ({ system, value }) => asText(system) === undefined || asText(value) === undefined,
      )
      return at < 0 ? undefined : got(`telecom[${at}]`, objectsIn(telecom)[at])
    },
  },
  {
    id: 'location-telecom-both',
    severity: 'hint',
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`telecom` has both a phone number and a URL',
    source: 'Location file: telecom',
    find: ({ resource }) =>
      contacts(resource, 'phone').length === 0 || contacts(resource, 'url').length === 0
        ? got(
            'telecom',
            objectsIn(resource.telecom)
              .map(({ system }) => textOrNothing(system))
              .join(', ') || undefined,
          )
        : undefined,
  },
  {
    id: 'location-phone',
    severity: 'error',
    right: 'a phone number is valid; others are dropped',
    source: 'Location file: telecom',
    find: ({ resource }) => {
      const wrong = contacts(resource, 'phone').find((text) => text !== '' && phoneText(text) === undefined)
      return wrong === undefined ? undefined : got('telecom.value', wrong)
    },
  },
  {
    id: 'location-phone-digits',
    severity: 'warning',
    right: 'a telephone number of the US has ten digits',
    source: 'North American Numbering Plan',
    find: ({ resource }) => {
      if (!isOfUs(addressOf(resource).country)) return undefined
      const wrong = contacts(resource, 'phone').find(
        (text) => phoneText(text) !== undefined && phoneFault(text) !== undefined,
      )
      return wrong === undefined ? undefined : `${got('telecom.value', wrong)}, ${phoneFault(wrong)}`
    },
  },
  {
    id: 'location-website',
    severity: 'error',
    right: 'a website is an absolute http or https URL without user and password; others are dropped',
    source: 'Location file: telecom; RFC 9110, 4.2',
    find: ({ resource }) => {
      const wrong = contacts(resource, 'url').find((text) => text !== '' && webLink(text) === undefined)
      return wrong === undefined ? undefined : got('telecom.value', wrong)
    },
  },
  {
    id: 'location-identifier',
    severity: 'hint',
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`identifier` has a system and a value that identify the location in other systems',
    source: 'Location file: identifier; guide: sched-22',
    find: ({ resource: { identifier } }) =>
      objectsIn(identifier).some(
        ({ system, value }) => asText(system) !== undefined && asText(value) !== undefined,
      )
        ? undefined
        : got('identifier', identifier),
  },
  {
    id: 'location-address',
    severity: 'warning',
    right: '`address` has line, city, state and postal code; only a virtual location may lack them',
    source: 'Location file: address; guide: Location profile',
    find: ({ resource, place }) => {
      if (place.virtual) return undefined
      const address = addressOf(resource)
      const needed = isOfUs(address.country) ? ['line', 'city', 'state', 'postalCode'] : ['line', 'city']
      const missing = needed.filter(
        (name) =>
          asText(address[name]) === undefined &&
          !(name === 'line' && Array.isArray(address.line) && address.line.length > 0),
      )
      return missing.length === 0 ? undefined : got(`address without ${missing.join(', ')}`, resource.address)
    },
  },
  {
    id: 'location-state',
    severity: 'error',
    right: 'the state is a US state; otherwise filters by state do not find the slots',
    source: 'Location file: address.state; USPS Publication 28',
    find: ({ resource, place }) => {
      const { state, country } = addressOf(resource)
      return asText(state) !== undefined && place.state === undefined && isOfUs(country)
        ? got('address.state', state)
        : undefined
    },
  },
  {
    id: 'location-state-code',
    severity: 'warning',
    right: 'the state is a two-letter code in capitals; names and old abbreviations are converted',
    source: 'USPS Publication 28, appendix B',
    find: ({ resource, place }) => {
      const { state } = addressOf(resource)
      return place.state !== undefined && place.state !== state
        ? `${got('address.state', state)}, read as ${place.state}`
        : undefined
    },
  },
  {
    id: 'location-country',
    severity: 'hint',
    right: 'the location is in the US; other states cannot be used as a filter',
    source: 'What slots can be asked for',
    find: ({ resource }) => {
      const { country } = addressOf(resource)
      return isOfUs(country) ? undefined : got('address.country', country)
    },
  },
  {
    id: 'location-postal-code-zero',
    severity: 'warning',
    right: 'a ZIP code keeps its leading zeros: publish it as text; missing zeros are restored',
    source: 'USPS Publication 28; FHIR R4: Address.postalCode',
    find: ({ resource, place }) => {
      const { postalCode } = addressOf(resource)
      const served = place.location?.postalCode
      return served !== undefined && served !== asText(postalCode)
        ? `${got('address.postalCode', postalCode)}, read as ${served}`
        : undefined
    },
  },
  {
    id: 'location-postal-code',
    severity: 'warning',
    right: 'a ZIP code has five digits, or nine with a hyphen',
    source: 'USPS Publication 28',
    find: ({ resource, place }) => {
      const served = place.location?.postalCode
      return place.state === undefined || served === undefined || /^\d{5}(?:-\d{4})?$/.test(served)
        ? undefined
        : got('address.postalCode', addressOf(resource).postalCode)
    },
  },
  {
    id: 'location-postal-code-state',
    severity: 'warning',
    right: 'the ZIP code belongs to the state of the address',
    source: 'USPS Publication 28; ZIP Code prefixes',
    find: ({ place: { location, state } }) => {
      const { postalCode } = location ?? {}
      if (state === undefined || postalCode === undefined || !/^\d{5}(?:-|$)/.test(postalCode))
        return undefined
      return mayHaveZip(state, postalCode)
        ? undefined
        : `${got('address.postalCode', postalCode)} in ${state}`
    },
  },
  {
    id: 'location-position',
    severity: 'error',
    right: '`position` has a latitude from -90 to 90 and a longitude from -180 to 180; others are dropped',
    source: 'Location file: position; FHIR R4: Location.position',
    find: ({ resource: { position }, place }) =>
      position !== undefined && position !== null && place.location?.latitude === undefined
        ? got('position', position)
        : undefined,
  },
  {
    id: 'location-position-elsewhere',
    severity: 'warning',
    right: 'the position of a US location is in the US: latitude first, and western longitudes are negative',
    source: 'Location file: position (WGS 84)',
    find: ({ place }) => {
      const { latitude, longitude, state } = place.location ?? {}
      if (latitude === undefined || longitude === undefined || state === undefined) return undefined
      return isInUs(latitude, longitude) ? undefined : got('position', `${latitude}, ${longitude}`)
    },
  },
  {
    id: 'location-physical-type',
    severity: 'warning',
    generations: ['stu1'],
    right: '`physicalType` is `vi`, `ph` or a FHIR R4 location type, in a coding',
    source: 'Guide: Location profile, physicalType',
    find: ({ resource: { physicalType } }) => {
      if (physicalType === undefined) return undefined
      const codes = objectsIn(asObject(physicalType)?.coding).map(({ code }) => textOrNothing(code))
      return codes.some((code) => PHYSICAL_TYPES.has(code)) ? undefined : got('physicalType', physicalType)
    },
  },
  {
    id: 'location-virtual-states',
    severity: 'warning',
    generations: ['stu1'],
    right: 'a virtual Location has `licensed-states`; otherwise filters by state do not find its slots',
    source: 'Guide: Virtual Location profile',
    find: ({ place }) =>
      place.virtual && place.licensedStates.length === 0 ? got('extension', 'no licensed-states') : undefined,
  },
  {
    id: 'location-inactive',
    severity: 'hint',
    right: 'an inactive Location is removed from the feed; its slots are served anyway',
    source: 'FHIR R4: Location.status',
    find: ({ resource: { status } }) =>
      status === 'inactive' || status === 'suspended' ? got('status', status) : undefined,
  },
]

const PHYSICAL_TYPES: ReadonlySet<string> = new Set([
  ...['vi', 'ph'],
  ...['si', 'bu', 'wi', 'wa', 'lvl', 'co', 'ro', 'bd', 've', 'ho', 'ca', 'rd', 'area', 'jdn'],
])

/** As the reader judges it: an address without a country is taken for one of the US. */
function isOfUs(country: unknown): boolean {
  return parseLocation({ address: { state: 'WA', country } }).state === 'WA'
}

/** From Samoa to Maine and from Hawaii to Alaska, with the islands west of the date line, and Puerto Rico. */
function isInUs(latitude: number, longitude: number): boolean {
  const americas = latitude >= 17 && latitude <= 72 && longitude >= -180 && longitude <= -64
  const aleutians = latitude >= 50 && latitude <= 55 && longitude >= 170
  const pacific = latitude >= 0 && latitude <= 22 && longitude >= 130
  const samoa = latitude >= -15 && latitude <= -10 && longitude >= -174 && longitude <= -167
  return americas || aleutians || pacific || samoa
}
