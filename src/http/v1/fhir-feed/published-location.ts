import { defined } from '../../../lib/optional.ts'
import { splitRegion } from '../../../slot/region.ts'
import type { Coding, Location } from '../../../slot/slot.ts'
import type { LocationDetails } from '../../../slot/source-resources.ts'
import { LICENSED_STATES, PHYSICAL, UNKNOWN, VIRTUAL, VIRTUAL_SERVICE } from './fhir-urls.ts'
import { type Elements, nonEmpty } from './published-resource.ts'

/** A Location by the profiles of the guide, which require a name and a contact, and of a virtual one its licensed states. */
export function locationElements(details: LocationDetails): Elements {
  const { location = {}, physicalType, virtualService = [], identifier } = details
  const isVirtual = physicalType?.some(({ code }) => code === VIRTUAL.code) ?? false
  const extension = [...licences(details, isVirtual), ...virtualService.map(serviceAt)]
  return {
    ...defined({ identifier }),
    ...(location.name === undefined ? { _name: UNKNOWN } : { name: location.name }),
    telecom: nonEmpty(telecomOf(location, virtualService)) ?? [{ _system: UNKNOWN, _value: UNKNOWN }],
    ...defined({
      address: isVirtual ? addressOf(location, undefined) : physicalAddressOf(location),
      physicalType: physicalType && { coding: codingsOf(physicalType) },
      position: positionOf(location),
      extension: nonEmpty(extension),
    }),
  }
}

function licences({ licensedStates = [] }: LocationDetails, isVirtual: boolean): Elements[] {
  if (licensedStates.length === 0 && isVirtual) return [{ url: LICENSED_STATES, _valueString: UNKNOWN }]
  return licensedStates.map((state) => ({ url: LICENSED_STATES, valueString: state }))
}

function serviceAt(address: string): Elements {
  return { url: VIRTUAL_SERVICE, extension: [{ url: 'address', valueUrl: address }] }
}

function telecomOf({ phone = [], website = [] }: Location, virtualService: readonly string[]): Elements[] {
  const pages = website.filter((address) => !virtualService.includes(address))
  return [...phone.map((value) => ({ system: 'phone', value })), ...pages.map((value) => ({ system: 'url', value }))]
}

function addressOf({ city, state, postalCode }: Location, line: Location['addressLine']): Elements | undefined {
  const address = defined({ line, city, postalCode, ...(state !== undefined && splitRegion(state)) })
  return Object.keys(address).length > 0 ? address : undefined
}

/** Marks the parts of an address as unknown that the source does not provide. */
function physicalAddressOf(location: Location): Elements {
  const address = addressOf(location, location.addressLine)
  if (address === undefined) return UNKNOWN
  const missing = ['city', 'state', 'postalCode'].filter((name) => address[name] === undefined)
  return {
    ...address,
    ...(address.line === undefined && { _line: [UNKNOWN] }),
    ...Object.fromEntries(missing.map((name) => [`_${name}`, UNKNOWN])),
  }
}

function positionOf({ latitude, longitude }: Location): Elements | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { longitude, latitude }
}

/** With the systems that the guide requires: that of FHIR for `vi`, which does not define `ph`, and its own for `ph`. */
function codingsOf(physicalType: readonly Coding[]): readonly Coding[] {
  const virtual = physicalType.filter(({ code }) => code === VIRTUAL.code)
  const others = physicalType.filter(({ code, system }) => !(code === VIRTUAL.code && system === VIRTUAL.system))
  const known = virtual.find(({ system }) => system === VIRTUAL.system)
  return [...(virtual.length > 0 ? [known ?? VIRTUAL] : []), ...others.map(withSystemOfPhysical)]
}

function withSystemOfPhysical(coding: Coding): Coding {
  const isUndefined = coding.code === PHYSICAL.code && (coding.system === undefined || coding.system === VIRTUAL.system)
  return isUndefined ? { ...coding, system: PHYSICAL.system } : coding
}
