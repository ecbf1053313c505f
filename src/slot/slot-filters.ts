import type { AcceptingPatients, SlotStatus } from './slot.ts'
import type { Point } from './value-kind.ts'

/** Which slots match. Absent filters match everything. */
export interface SlotFilters {
  readonly status: SlotStatus
  /** Two capital letters each: the location's state, or one that the service is licensed for. Any of them. */
  readonly states?: readonly string[]
  /** False: can be attended in person. A slot that can be attended both ways matches both. */
  readonly isVirtual?: boolean
  /** Bounds of the start, both inclusive, in milliseconds since 1970. Without the first, ended slots are left out. */
  readonly startAfterMs?: number
  readonly startBeforeMs?: number
  /** How long the slot lasts at least, from its start to its end: whole minutes. */
  readonly minDurationMs?: number
  /** Any of them. */
  readonly serviceTypeCodes?: readonly string[]
  readonly appointmentType?: string
  /** A slot that says nothing matches any. */
  readonly acceptingPatients?: AcceptingPatients
  /** Without regard to case. */
  readonly city?: string
  /** What the postal code begins with, without regard to case. */
  readonly postalCodePrefix?: string
  readonly near?: Near
  /** Without regard to case. */
  readonly specialty?: string
  /** Ten digits. */
  readonly providerNpi?: string
  /** Any of them. */
  readonly publishers?: readonly string[]
  readonly scheduleId?: string
  /** See `actorKeyOf()`. */
  readonly actorKey?: string
}

/** A circle on the globe. */
export interface Near extends Point {
  /** Above 0, up to 500. */
  readonly radiusKm: number
}

/** The filters that ask something of a slot's offering. */
const OFFERING_FILTERS = [
  'states',
  'isVirtual',
  'serviceTypeCodes',
  'appointmentType',
  'acceptingPatients',
  'city',
  'postalCodePrefix',
  'near',
  'specialty',
  'providerNpi',
  'publishers',
  'scheduleId',
  'actorKey',
] as const satisfies readonly (keyof SlotFilters)[]

/** All that there are. */
const FILTERS = [
  ...OFFERING_FILTERS,
  'status',
  'startAfterMs',
  'startBeforeMs',
  'minDurationMs',
] as const satisfies readonly (keyof SlotFilters)[]

/** A text that is the same for the same filters, and another for others. */
export function nameFilters(filters: SlotFilters): string {
  return JSON.stringify(FILTERS.map((name) => filters[name]))
}

/** The same of those alone that ask something of a slot's offering. */
export function nameOfferingFilters(filters: SlotFilters): string {
  return JSON.stringify(OFFERING_FILTERS.map((name) => filters[name]))
}
