import fc from 'fast-check'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import { actorKeyOf } from '../../../src/slot/ids.ts'
import { type Modality, type Offering, SLOT_STATUSES, type Slot } from '../../../src/slot/slot.ts'
import type { Near } from '../../../src/slot/slot-filters.ts'
import type { SlotQuery } from '../../../src/slot/slot-query.ts'
import type { TimedOffering } from '../../../src/slot-index/offerings/pack-offerings.ts'
import { COLLIDING_IDENTIFIERS } from './run-samples.ts'

/** Two are 61 km apart, two 20 km across the date line, two 22 km across the pole. */
const POINTS = [
  { latitude: 42.36, longitude: -71.06 },
  { latitude: 42.26, longitude: -71.8 },
  { latitude: 34.05, longitude: -118.24 },
  { latitude: 52, longitude: 179.9 },
  { latitude: 52, longitude: -179.8 },
  { latitude: 89.9, longitude: 10 },
  { latitude: 89.9, longitude: -170 },
]

const STATES = ['MA', 'CA', undefined]
const MODES: (Modality[] | undefined)[] = [['in-person'], ['virtual'], ['in-person', 'virtual'], undefined]

/** One, several, the same code in two systems, only words, and only the fields of older stores. */
const SERVICE_TYPES: Partial<Offering>[] = [
  { serviceTypeCode: '57' },
  { serviceTypeCode: '57', serviceTypes: [{ code: '57' }, { system: 'a', code: '124', display: 'General' }] },
  {
    serviceTypeCode: '124',
    serviceTypes: [
      { system: 'a', code: '124', display: 'General practice' },
      { system: 'b', code: '124', display: 'General' },
      { display: 'Visit' },
    ],
  },
  { serviceTypeText: 'Visit' },
  {},
]

const ROOM = { system: 'https://clinic.example/rooms', value: '9' }

const DETAILS: Pick<Offering, 'details'>[] = [
  {},
  { details: { specialties: [{ display: 'Surgery' }, { code: '207RC0000X', display: 'dermatology' }] } },
  { details: { appointmentTypes: [{ code: 'WALKIN' }, { system: 'a', code: 'ROUTINE' }] } },
  { details: { providers: [{ name: 'Dr. 2', npi: '1346271483' }, { name: 'Dr. 3' }] } },
  { details: { languages: [{ code: 'es-MX' }, { code: 'EN' }], resources: { Location: [{ id: 'l' }] } } },
  {
    details: {
      languages: [{ code: 'est' }, { display: 'Español' }],
      resources: {
        Practitioner: [{ id: 'p', identifier: [ROOM, { value: '9' }] }, { id: 'q' }],
        PractitionerRole: [{ id: 'r', identifier: [ROOM] }],
        Schedule: [{ identifier: [{ system: 'b', value: 'x|y' }] }],
      },
    },
  },
]

const DERMATOLOGIST = { specialty: 'Dermatology', npi: '1346271483' }

/** Offerings that differ in all values that filters match; some lack them. */
export const OFFERINGS: Offering[] = STATES.flatMap((state, s) =>
  MODES.map((modalities, m) => {
    const n = s * MODES.length + m
    return {
      publisher: ['north', 'south', 'west'][(n * 5) % 3],
      scheduleId: `schedule-${s}-${m % 3}`,
      ...SERVICE_TYPES[n % SERVICE_TYPES.length],
      ...(m === 1 ? { appointmentType: 'WALKIN' } : {}),
      ...(n % 3 === 0 ? {} : { acceptingPatients: n % 2 === 0 ? 'newpt' : 'existptonly' }),
      isVirtual: modalities?.includes('virtual') ?? false,
      ...(modalities ? { modalities } : {}),
      ...(state ? { location: locationOf(state, n) } : {}),
      ...(m === 1 ? { serviceStates: ['CA', 'NY'] } : {}),
      ...DETAILS[n % DETAILS.length],
      // In person in the state of its location, and virtual in others.
      ...(m !== 1 && modalities?.length === 2 && state && modalities.includes('in-person')
        ? {
            serviceStates: ['CA'],
            details: { ...DETAILS[n % DETAILS.length]?.details, modeStates: { inPerson: [state], virtual: ['CA'] } },
          }
        : {}),
      ...(n % 4 === 3 ? {} : { provider: { name: `Dr. ${n % 2}`, ...(n % 2 ? DERMATOLOGIST : {}) } }),
    }
  }),
)

/** Offerings whose slots have one duration. */
export function lasting(minutes: number, offerings: readonly Offering[]): TimedOffering[] {
  return offerings.map((offering) => ({ offering, minutes }))
}

function locationOf(state: string, n: number): Offering['location'] & object {
  return {
    name: 'Praxis Müller ☂',
    city: ['Boston', 'BOSTON', 'Bosto\u0301n', 'BOST\u00d3N'][n % 4],
    state,
    ...(n % 5 === 4 ? {} : { postalCode: n % 2 === 0 ? '02114' : 'K1A 0b1' }),
    ...(n % 4 === 2 ? {} : POINTS[n % POINTS.length]),
  }
}

const near: fc.Arbitrary<Near> = fc
  .record({ point: fc.constantFrom(...POINTS), radiusKm: fc.constantFrom(1, 21.5, 25, 100, 500) })
  .map(({ point, radiusKm }) => ({ ...point, radiusKm }))

/** Around the steps of posting lists, the maximum of the filter, and the maximum that a row can store. */
const LONG_MINUTES = [29, 29.5, 30, 30.001, 45, 59.999, 60, 61, 1439, 1440, 2000, 65_535, 65_536, 100_000]

/** Few starts, and ids with the same first 60 bits, so that every comparison is tested. */
export const slotIn: fc.Arbitrary<Slot> = fc
  .record({
    number: fc.integer({ min: 0, max: 60 }),
    status: fc.constantFrom(...SLOT_STATUSES, 'free' as const, 'free' as const),
    lasts: fc.oneof({ arbitrary: fc.integer({ min: 0, max: 5 }), weight: 2 }, fc.constantFrom(...LONG_MINUTES)),
    offering: fc.constantFrom(...OFFERINGS),
    capacity: fc.option(fc.nat(9), { nil: undefined }),
    identifier: fc.option(
      fc.subarray([ROOM, { value: '9' }, { system: 'b|x', value: 'y' }, ...COLLIDING_IDENTIFIERS], { minLength: 1 }),
      { nil: undefined },
    ),
    isOdd: fc.boolean(),
  })
  .map(({ number, status, lasts, offering, capacity, identifier, isOdd }) => {
    const startMs = (number % 7) * MINUTE_MS
    const endMs = startMs + Math.round(lasts * MINUTE_MS)
    return {
      id: idOf(number),
      status,
      start: new Date(startMs).toISOString(),
      end: new Date(endMs).toISOString(),
      startMs,
      endMs,
      offering,
      ...(capacity === undefined ? {} : { capacity }),
      ...(isOdd ? { bookingDeepLink: 'x'.repeat(100) } : {}),
      ...(identifier === undefined ? {} : { identifier }),
    }
  })

function idOf(number: number): string {
  return `${number % 3 === 0 ? 'aaaaaaaaaaaa' : 'abcdefghijkl'}${String(number).padStart(12, '0')}`
}

const instant = fc.integer({ min: -1, max: 8 * MINUTE_MS })

const cursor: fc.Arbitrary<SlotQuery['cursor'] & object> = fc.oneof(
  fc.constant({}),
  fc.record({
    after: fc.record({
      startMs: fc.integer({ min: -1, max: 8 }).map((minutes) => minutes * MINUTE_MS),
      id: fc.nat(61).map(idOf),
      distanceKm: fc.constantFrom(0, 10, 61, 100, 20_000),
    }),
  }),
)

/** Filters, each with a probability of one half. */
const filters = {
  states: fc.subarray(['MA', 'CA', 'NY', 'TX'], { minLength: 1 }),
  isVirtual: fc.boolean(),
  startAfterMs: instant,
  startBeforeMs: instant,
  minDurationMs: fc
    .oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(29, 30, 31, 45, 60, 61, 62, 1439, 1440))
    .map((minutes) => minutes * MINUTE_MS),
  serviceTypeCodes: fc.subarray(['57', '124', 'none'], { minLength: 1 }),
  appointmentType: fc.constantFrom('WALKIN', 'ROUTINE'),
  acceptingPatients: fc.constantFrom('newpt' as const, 'existptonly' as const, 'existptfam' as const),
  city: fc.constantFrom('boston', 'Bost\u00f3n', 'Salem'),
  postalCodePrefix: fc.constantFrom('021', '02114', 'k1a', 'k1a0b1', '2'),
  specialty: fc.constantFrom('dermatology', 'Surgery'),
  providerNpi: fc.constantFrom('1346271483', '0000000000'),
  languages: fc.subarray(['es', 'en', 'es-mx', 'español'], { minLength: 1 }),
  identifiers: fc.subarray([`${ROOM.system}|9`, '|9', 'b|x|y', 'liquid|1', 'costarring|2'], { minLength: 1 }),
  publishers: fc.subarray(['north', 'south'], { minLength: 1 }),
  scheduleId: fc.constantFrom('schedule-0-1', 'schedule-9'),
  actorKey: fc.constantFrom(...OFFERINGS.map(actorKeyOf), '0'.repeat(24)),
  near,
}

type Filters = {
  [Name in keyof typeof filters]?: (typeof filters)[Name] extends fc.Arbitrary<infer Value> ? Value : never
}

/** Mostly one or two filters, so that slots match; sometimes any number. */
const someFilters: fc.Arbitrary<Filters> = fc
  .oneof(
    { arbitrary: fc.subarray(Object.keys(filters) as (keyof Filters)[], { maxLength: 2 }), weight: 4 },
    { arbitrary: fc.subarray(Object.keys(filters) as (keyof Filters)[]), weight: 1 },
  )
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filters[name]])) as never))

export const query: fc.Arbitrary<SlotQuery> = fc
  .record({
    asked: someFilters,
    status: fc.constantFrom(...SLOT_STATUSES, 'free' as const, 'free' as const),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.oneof(fc.nat(70), fc.constant(Number.MAX_SAFE_INTEGER)),
    byDistance: fc.boolean(),
    cursor: fc.option(cursor, { nil: undefined }),
  })
  .map(({ asked, byDistance, offset, cursor: at, ...rest }) => ({
    ...asked,
    ...rest,
    sort: byDistance && asked.near !== undefined ? 'distance' : 'start',
    offset: at === undefined ? offset : 0,
    ...(at === undefined ? {} : { cursor: at }),
  }))

/** An id whose beginning differs from others, as of hashes: thousands with the same beginning would collide in the table of ids. */
export function spreadId(number: number): string {
  return number.toString(32).padStart(6, '0').padEnd(24, '0')
}
