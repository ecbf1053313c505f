import { extensions, phoneText, webLink } from '../../feeds/fhir/data-types.ts'
import { type ParsedLocation, parseLocation } from '../../feeds/fhir/location.ts'
import { asObject, asText, type Json, objectsIn, textsIn } from '../../lib/json.ts'
import { isUsCountry } from '../../slot/state.ts'
import { phoneFault } from '../phone-numbers.ts'
import {
  elementChecks,
  errorRule,
  hintRule,
  quote,
  quoteIf,
  type Rule,
  saysWhyAbsent,
  stringOrEmpty,
  warningRule,
} from '../rule.ts'
import { mayHaveZip } from '../us-states.ts'
import { type ResourceSubject, resourceElement } from './resource-rules.ts'

/** A Location and its parsed form. */
interface LocationSubject extends ResourceSubject {
  readonly parsed: ParsedLocation
}

/** The subject of Location rules. */
export function locationSubject(subject: ResourceSubject): LocationSubject {
  return { ...subject, parsed: parseLocation(subject.resource, subject) }
}

const addressOf = (resource: Json): Json => objectsIn(resource.address)[0] ?? {}
const contacts = (resource: Json, system: string): string[] =>
  objectsIn(resource.telecom)
    .filter((contact) => contact.system === system)
    .map(({ value }) => asText(value) ?? '')
const hasSystemAndValue = ({ system, value }: Json) => asText(system) !== undefined && asText(value) !== undefined
const isUnknown = ({ _system, _value }: Json) => saysWhyAbsent(_system) && saysWhyAbsent(_value)

const locationElement = elementChecks<LocationSubject>(({ resource }) => resource)
const addressElement = elementChecks<LocationSubject>(
  ({ resource }) => addressOf(resource),
  () => 'address.',
)

/** Rules for Locations. */
export const LOCATION_RULES: readonly Rule<LocationSubject>[] = [
  warningRule('location-name', {
    right: '`name` is the common name of the location',
    source: 'Location file: name; guide: Location profile',
    find: resourceElement('name', (name, { resource }) => asText(name) === undefined && !saysWhyAbsent(resource._name)),
  }),
  warningRule('location-telecom', {
    right: '`telecom` has at least one contact',
    source: 'Location file: telecom; guide: Location profile',
    find: resourceElement('telecom', (telecom) => objectsIn(telecom).length === 0),
  }),
  warningRule('location-telecom-system', {
    right: 'each `telecom` has a system and a value; others are dropped',
    source: 'Location file: telecom; FHIR R4: ContactPoint, cpt-2',
    find: ({ resource: { telecom } }) => {
      const at = objectsIn(telecom).findIndex((contact) => !hasSystemAndValue(contact) && !isUnknown(contact))
      return quoteIf(at >= 0, `telecom[${at}]`, objectsIn(telecom)[at])
    },
  }),
  hintRule('location-telecom-both', {
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`telecom` has both a phone number and a URL',
    source: 'Location file: telecom',
    find: ({ resource }) => {
      const systems = objectsIn(resource.telecom).map(({ system }) => stringOrEmpty(system))
      const hasBoth = systems.includes('phone') && systems.includes('url')
      return quoteIf(!hasBoth, 'telecom', systems.join(', ') || undefined)
    },
  }),
  errorRule('location-phone', {
    right: 'a phone number is valid; others are dropped',
    source: 'Location file: telecom',
    find: ({ resource }) => {
      const wrong = contacts(resource, 'phone').find((text) => text !== '' && phoneText(text) === undefined)
      return quoteIf(wrong !== undefined, 'telecom.value', wrong)
    },
  }),
  warningRule('location-phone-digits', {
    right: 'a telephone number of the US has ten digits; area code and exchange begin with 2 to 9',
    source: 'North American Numbering Plan',
    find: ({ resource }) => {
      if (!isOfUs(addressOf(resource).country)) return undefined
      const wrong = contacts(resource, 'phone').find(
        (text) => phoneText(text) !== undefined && phoneFault(text) !== undefined,
      )
      return wrong === undefined ? undefined : `${quote('telecom.value', wrong)}, ${phoneFault(wrong)}`
    },
  }),
  errorRule('location-website', {
    right: 'a website is an absolute http or https URL without user and password; others are dropped',
    source: 'Location file: telecom; RFC 9110, 4.2',
    find: ({ resource }) => {
      const wrong = contacts(resource, 'url').find((text) => text !== '' && webLink(text) === undefined)
      return quoteIf(wrong !== undefined, 'telecom.value', wrong)
    },
  }),
  hintRule('location-identifier', {
    generations: ['vaccine-2021', 'draft-2025'],
    right: '`identifier` has a system and a value that identify the location in other systems',
    source: 'Location file: identifier; guide: sched-22',
    find: resourceElement('identifier', (identifier) => !objectsIn(identifier).some(hasSystemAndValue)),
  }),
  warningRule('location-address', {
    right:
      '`address` has line, city, state and postal code; only a virtual location, or a part of another, may lack them',
    source: 'Location file: address; guide: Location profile',
    find: ({ resource, parsed }) => {
      if (parsed.attendance === 'virtual' || parsed.partOf !== undefined) return undefined
      const address = addressOf(resource)
      if (saysWhyAbsent(address)) return undefined
      const needed = isOfUs(address.country) ? ['line', 'city', 'state', 'postalCode'] : ['line', 'city']
      const missing = needed.filter(
        (name) =>
          asText(address[name]) === undefined &&
          ![address[`_${name}`]].flat().some(saysWhyAbsent) &&
          !(name === 'line' && Array.isArray(address.line) && address.line.length > 0),
      )
      return quoteIf(missing.length > 0, `address without ${missing.join(', ')}`, resource.address)
    },
  }),
  errorRule('location-state', {
    right: 'the state is a US state; otherwise filters by state do not find the slots',
    source: 'Location file: address.state; USPS Publication 28',
    find: addressElement('state', (state, { resource, parsed }) => {
      return asText(state) !== undefined && parsed.location?.state === undefined && isOfUs(addressOf(resource).country)
    }),
  }),
  warningRule('location-state-code', {
    right: 'the state is a two-letter code in capitals; names and old abbreviations are converted',
    source: 'USPS Publication 28, appendix B',
    find: ({ resource, parsed }) => {
      const { state } = addressOf(resource)
      const served = usStateOf(parsed)
      return served !== undefined && served !== state
        ? `${quote('address.state', state)}, read as ${served}`
        : undefined
    },
  }),
  hintRule('location-country', {
    right: 'a country and its region are ISO 3166 codes; other regions outside the US cannot be used as a filter',
    source: 'What slots can be asked for',
    find: addressElement('country', (country, { parsed }) => !isOfUs(country) && parsed.location?.state === undefined),
  }),
  warningRule('location-postal-code-zero', {
    right: 'a ZIP code keeps its leading zeros and its hyphen: publish it as text; what is missing is restored',
    source: 'USPS Publication 28; FHIR R4: Address.postalCode',
    find: ({ resource, parsed }) => {
      const { postalCode } = addressOf(resource)
      const served = parsed.location?.postalCode
      return served !== undefined && served !== asText(postalCode)
        ? `${quote('address.postalCode', postalCode)}, read as ${served}`
        : undefined
    },
  }),
  warningRule('location-postal-code', {
    right: 'a ZIP code has five digits, or nine with a hyphen; the lowest is 00501',
    source: 'USPS Publication 28',
    find: addressElement('postalCode', (_, { parsed }) => {
      const served = parsed.location?.postalCode
      return (
        usStateOf(parsed) !== undefined &&
        served !== undefined &&
        !(/^\d{5}(?:-\d{4})?$/.test(served) && served >= '00501')
      )
    }),
  }),
  warningRule('location-postal-code-state', {
    right: 'the ZIP code begins with three digits that are used in the state of the address',
    source: 'USPS Domestic Mail Manual, L002',
    find: ({ parsed }) => {
      const state = usStateOf(parsed)
      const postalCode = parsed.location?.postalCode
      if (state === undefined || postalCode === undefined || !/^\d{5}(?:-|$)/.test(postalCode)) return undefined
      return mayHaveZip(state, postalCode) ? undefined : `${quote('address.postalCode', postalCode)} in ${state}`
    },
  }),
  errorRule('location-position', {
    right: '`position` has a latitude from -90 to 90 and a longitude from -180 to 180; others are dropped',
    source: 'Location file: position; FHIR R4: Location.position',
    find: locationElement('position', (position, { parsed: { location } }) => {
      return position !== undefined && position !== null && location?.latitude === undefined
    }),
  }),
  warningRule('location-position-elsewhere', {
    right: 'the position of a US location is in the US: latitude first, and western longitudes are negative',
    source: 'Location file: position (WGS 84)',
    find: ({ parsed }) => {
      const { latitude, longitude } = parsed.location ?? {}
      const state = usStateOf(parsed)
      if (latitude === undefined || longitude === undefined || state === undefined || MILITARY.has(state))
        return undefined
      return quoteIf(!isInUs(latitude, longitude), 'position', `${latitude}, ${longitude}`)
    },
  }),
  warningRule('location-physical-type', {
    generations: ['stu1'],
    right: '`physicalType` is `vi`, `ph` or a FHIR R4 location type, in a coding',
    source: 'Guide: Location profile, physicalType',
    find: resourceElement('physicalType', (physicalType) => {
      const codings = objectsIn(asObject(physicalType)?.coding)
      return physicalType !== undefined && !codings.some(({ code }) => PHYSICAL_TYPES.has(stringOrEmpty(code)))
    }),
  }),
  warningRule('location-virtual-states', {
    generations: ['stu1'],
    right: 'a virtual Location has `licensed-states`; otherwise filters by state do not find its slots',
    source: 'Guide: Virtual Location profile',
    find: ({ resource, parsed }) =>
      parsed.attendance === 'virtual' &&
      parsed.licensedStates.length === 0 &&
      !extensions(resource, 'licensed-states').some(({ _valueString }) => saysWhyAbsent(_valueString))
        ? 'extension licensed-states: not provided'
        : undefined,
  }),
  warningRule('location-virtual-address', {
    right: 'a virtual Location has no street address: patients do not go there',
    source: 'Guide: Virtual Location profile',
    find: ({ resource, parsed }) => {
      const { line } = addressOf(resource)
      return quoteIf(
        parsed.attendance === 'virtual' && (asText(line) ?? textsIn(line)[0]) !== undefined,
        'address.line',
        line,
      )
    },
  }),
  hintRule('location-mode', {
    right: '`mode` is absent or `instance`: a kind of location is no place where patients can go',
    source: 'FHIR R4: Location.mode',
    find: resourceElement('mode', (mode) => mode === 'kind'),
  }),
  hintRule('location-inactive', {
    right: 'an inactive Location is removed from the feed; its slots are served anyway',
    source: 'FHIR R4: Location.status',
    find: resourceElement('status', (status) => status === 'inactive' || status === 'suspended'),
  }),
]

const PHYSICAL_TYPES: ReadonlySet<string> = new Set([
  ...['vi', 'ph'],
  ...['si', 'bu', 'wi', 'wa', 'lvl', 'co', 'ro', 'bd', 've', 'ho', 'ca', 'rd', 'area', 'jdn'],
])

/** The state of a location in the US. */
function usStateOf({ location: { state } = {} }: ParsedLocation): string | undefined {
  return state?.length === 2 ? state : undefined
}

/** The regions of military addresses (APO, FPO), which are all over the world. */
const MILITARY: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/** As in the parser: an address without a country is assumed to be in the US. */
function isOfUs(country: unknown): boolean {
  return isUsCountry(asText(country))
}

/** From Samoa to Maine and from Hawaii to Alaska, with the islands west of the date line, and Puerto Rico. */
function isInUs(latitude: number, longitude: number): boolean {
  const americas = latitude >= 17 && latitude <= 72 && longitude >= -180 && longitude <= -64
  const aleutians = latitude >= 50 && latitude <= 55 && longitude >= 170
  const pacific = latitude >= 0 && latitude <= 22 && longitude >= 130
  const samoa = latitude >= -15 && latitude <= -10 && longitude >= -174 && longitude <= -167
  return americas || aleutians || pacific || samoa
}
