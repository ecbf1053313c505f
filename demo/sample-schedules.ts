import { mix, pick } from './mix.ts'
import {
  CLINIC_KINDS,
  type Coding,
  FAMILY_NAMES,
  GENERAL_MEDICINE,
  GENERAL_PRACTICE,
  GIVEN_NAMES,
  HOUSE_NAMES,
  IMMUNIZATION,
  PHARMACY_KINDS,
  SPECIALTIES,
  STREETS,
} from './sample-words.ts'
import { type City, US_STATES, type UsState } from './us-states.ts'

/** A building with an address, shared by three schedules. */
export interface SampleSite {
  readonly id: string
  readonly name: string
  readonly isPharmacy: boolean
  readonly state: UsState
  readonly city: City
  readonly addressLine: string
  readonly postalCode: string
  readonly latitude: number
  readonly longitude: number
  readonly phone: string
  /** The states in which its virtual visits are licensed, including its own. */
  readonly licensedStates: readonly string[]
}

export interface SamplePractitioner {
  readonly id: string
  readonly given: string
  readonly family: string
  readonly npi: string
}

export interface SampleSchedule {
  readonly id: string
  /** Hash of the seed and the schedule's number; determines its slots. */
  readonly mixed: number
  readonly site: SampleSite
  readonly modality: 'physical' | 'virtual' | 'both'
  /** Absent for a pharmacy's schedule. */
  readonly practitioner: SamplePractitioner | undefined
  readonly serviceType: Coding
  readonly specialty: Coding
  readonly patientType: string
  /** In quarter hours of the local day. */
  readonly opens: number
  readonly closes: number
  readonly stepQuarters: number
  readonly weekends: boolean
}

export interface SampleState {
  readonly state: UsState
  /** The number of slots of this state. */
  readonly quota: number
  readonly schedules: readonly SampleSchedule[]
}

/** Approximate number of slots of a schedule in the next 30 days. */
export const SLOTS_PER_SCHEDULE = 100

/** Distributes `slots` over the states by population, with a few spare schedules. */
export function sampleStates(slots: number, seed: number): SampleState[] {
  const populationMillions = US_STATES.reduce((sum, state) => sum + state.populationMillions, 0)
  let reached = 0
  let given = 0
  let number = 0
  return US_STATES.map((state) => {
    reached += state.populationMillions / populationMillions
    const quota = Math.round(reached * slots) - given
    given += quota
    const count = Math.ceil((quota * 1.05) / SLOTS_PER_SCHEDULE) + 1
    const schedules = Array.from({ length: count }, (_, place) => sampleSchedule(seed, state, place, number + place))
    number += count
    return { state, quota, schedules }
  })
}

function sampleSchedule(seed: number, state: UsState, place: number, number: number): SampleSchedule {
  const mixed = mix(seed, number)
  const site = sampleSite(seed, state, Math.floor(place / 3))
  const modality = sampleModality(number)
  const isPharmacy = site.isPharmacy && modality === 'physical'
  const isGeneral = mixed % 3 !== 0
  const stepQuarters = mix(mixed, 1) % 2 === 0 ? 1 : 2
  return {
    id: `schedule-${state.code}-${place}`,
    mixed,
    site,
    modality,
    practitioner: isPharmacy ? undefined : samplePractitioner(mixed, `${state.code}-${place}`),
    serviceType: isPharmacy ? IMMUNIZATION : isGeneral ? GENERAL_PRACTICE : pick(SPECIALTIES, mixed >>> 4),
    specialty: isPharmacy || isGeneral ? GENERAL_MEDICINE : pick(SPECIALTIES, mixed >>> 4),
    patientType: pick(['newpt', 'newpt', 'existptonly', 'existptfam', 'newpt'], mix(mixed, 2)),
    opens: isPharmacy ? 36 : 32,
    closes: isPharmacy ? 76 : 68,
    stepQuarters,
    weekends: isPharmacy,
  }
}

/** 75% in person, 15% virtual, 10% both; golden-ratio steps distribute them evenly within every state. */
function sampleModality(number: number): SampleSchedule['modality'] {
  const at = (number * 0.6180339887498949) % 1
  if (at < 0.75) return 'physical'
  return at < 0.9 ? 'virtual' : 'both'
}

function sampleSite(seed: number, state: UsState, place: number): SampleSite {
  const mixed = mix(mix(seed, state.code.charCodeAt(0) * 256 + state.code.charCodeAt(1)), place)
  const city = pick(state.cities, place)
  const isPharmacy = mix(mixed, 1) % 5 < 2
  const kind = isPharmacy ? pick(PHARMACY_KINDS, mixed >>> 4) : pick(CLINIC_KINDS, mixed >>> 4)
  return {
    id: `${state.code}-${place}`,
    name: `${pick(HOUSE_NAMES, mixed >>> 8)} ${kind} ${city.name}`,
    isPharmacy,
    state,
    city,
    addressLine: `${100 + (mixed % 4800)} ${pick(STREETS, mixed >>> 12)}`,
    postalCode: city.zipPrefix + String(1 + (mix(mixed, 2) % 30)).padStart(2, '0'),
    latitude: near(city.latitude, mix(mixed, 3)),
    longitude: near(city.longitude, mix(mixed, 4)),
    // 555-0100 to 555-0199 are reserved for fiction in every area code.
    phone: `+1-${city.areaCode}-555-01${String(mix(mixed, 5) % 100).padStart(2, '0')}`,
    licensedStates: licensedStates(state, mixed),
  }
}

function near(degrees: number, mixed: number): number {
  return Math.round((degrees + ((mixed % 1000) - 500) / 5000) * 10_000) / 10_000
}

function licensedStates(home: UsState, mixed: number): string[] {
  const others = Array.from({ length: 1 + (mixed % 5) }, (_, place) => pick(US_STATES, mix(mixed, 10 + place)).code)
  return [...new Set([home.code, ...others])].sort()
}

function samplePractitioner(mixed: number, id: string): SamplePractitioner {
  const nine = `1${String(mix(mixed, 3) % 100_000_000).padStart(8, '0')}`
  return {
    id,
    given: pick(GIVEN_NAMES, mix(mixed, 4)),
    family: pick(FAMILY_NAMES, mix(mixed, 5)),
    npi: nine + npiCheckDigit(nine),
  }
}

/** Luhn's digit over the NPI's nine digits behind the prefix 80840, which adds 24 to the sum (45 CFR 162.406). */
function npiCheckDigit(nine: string): number {
  let sum = 24
  for (let at = 0; at < 9; at++) {
    const digit = Number(nine[at])
    const doubled = digit * 2
    sum += at % 2 === 1 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}
