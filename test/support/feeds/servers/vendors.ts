import type { SourceOptions } from '../../../../src/feeds/source-options.ts'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { Slot } from '../../../../src/slot/slot.ts'
import type { Resource } from '../fhir-server.ts'
import { person, place, START_MS, schedule } from '../searcher.ts'
import { EpicServer } from './epic-server.ts'
import { GpConnectServer } from './gp-connect-server.ts'
import { HapiServer } from './hapi-server.ts'
import { OracleServer, SCHEDULING_LOCATION } from './oracle-server.ts'
import type { VendorServer } from './vendor-server.ts'

/** A Slot of a doctor at one of two places, in hours after the start. */
export interface Visit {
  readonly id: string
  readonly doctor: 'a' | 'b' | 'c'
  readonly from: number
  readonly until: number
  readonly status?: 'free' | 'busy'
}

/** Where the doctors work. */
const PLACE_OF = { a: 'l1', b: 'l1', c: 'l2' } as const
const PLACE_NAMES = { l1: 'Harbor Clinic', l2: 'Hill Clinic' } as const

/** A vendor's server, and how an operator configures a source for it. */
export interface Vendor {
  readonly name: NonNullable<SourceOptions['server']>
  readonly open: (visits: readonly Visit[]) => Promise<VendorServer>
  /** A Slot as the server has it. */
  readonly slot: (visit: Visit) => Resource
  /** The query in the address of the source. */
  readonly query: string
  /** Busy Slots are not shown. */
  readonly freeOnly: boolean
}

const SERVICE = [{ coding: [{ code: '4047611', display: 'Checkup' }], text: 'Checkup' }]
const DIRECTORY = [
  place('l1', PLACE_NAMES.l1),
  place('l2', PLACE_NAMES.l2),
  ...['a', 'b', 'c'].map((doctor) => person(doctor)),
]

function slotOf({ id, doctor, from, until, status = 'free' }: Visit, more: object = {}): Resource {
  return {
    resourceType: 'Slot',
    id,
    schedule: { reference: `Schedule/${doctor}` },
    serviceType: SERVICE,
    status,
    start: new Date(START_MS + from * HOUR_MS).toISOString(),
    end: new Date(START_MS + until * HOUR_MS).toISOString(),
    ...more,
  }
}

/** The Schedules of the doctors, with their places. */
const SCHEDULES = (['a', 'b', 'c'] as const).map((doctor) =>
  schedule(doctor, `Practitioner/${doctor}`, `Location/${PLACE_OF[doctor]}`),
)

/** Schedules of doctors alone. */
const DOCTORS = (['a', 'b', 'c'] as const).map((doctor) => schedule(doctor, `Practitioner/${doctor}`))

/** Each visit has a Schedule of its own, as on Millennium. */
const oracleSlot = (visit: Visit) =>
  slotOf(visit, {
    extension: [{ url: SCHEDULING_LOCATION, valueReference: { reference: `Location/${PLACE_OF[visit.doctor]}` } }],
  })

export const VENDORS: readonly Vendor[] = [
  {
    name: 'oracle',
    open: (visits) => new OracleServer([...DIRECTORY, ...DOCTORS, ...visits.map(oracleSlot)]).open(),
    slot: oracleSlot,
    query: '?service-type=4047611',
    freeOnly: true,
  },
  {
    name: 'epic',
    open: (visits) => new EpicServer([...DIRECTORY, ...SCHEDULES, ...visits.map((visit) => slotOf(visit))]).open(),
    slot: slotOf,
    query: '',
    freeOnly: false,
  },
  {
    name: 'hapi',
    open: (visits) => new HapiServer([...DIRECTORY, ...SCHEDULES, ...visits.map((visit) => slotOf(visit))]).open(),
    slot: slotOf,
    query: '',
    freeOnly: false,
  },
  {
    name: 'gp-connect',
    open: (visits) => new GpConnectServer([...DIRECTORY, ...SCHEDULES, ...visits.map((visit) => slotOf(visit))]).open(),
    slot: slotOf,
    query: '?searchFilter=https://fhir.nhs.uk/Id/ods-organization-code|A11111',
    freeOnly: true,
  },
]

/**
 * What a source must serve of the visits: those that have not ended and start within the days, in order. `nowHours`: whole hours after
 * the start.
 */
export function servedOf(vendor: Vendor, visits: readonly Visit[], daysAhead = 30, nowHours = 0): string[] {
  const isServed = ({ from, until, status }: Visit) =>
    until > nowHours && from < nowHours + daysAhead * 24 && !(vendor.freeOnly && status === 'busy')
  return visits
    .filter(isServed)
    .map(({ doctor, from, until, status = 'free' }) => {
      const name = PLACE_NAMES[PLACE_OF[doctor]]
      return `${from}-${until} ${status} ${name} MA Dr. ${doctor}`
    })
    .sort()
}

/** Slots in the form of `servedOf`. */
export function summaryOf(slots: readonly Slot[]): string[] {
  const hours = (ms: number) => (ms - START_MS) / HOUR_MS
  return slots
    .map(({ startMs, endMs, status, offering: { location, provider } }) => {
      const where = `${location?.name} ${location?.state} ${provider?.name}`
      return `${hours(startMs)}-${hours(endMs)} ${status} ${where}`
    })
    .sort()
}
