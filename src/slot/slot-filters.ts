import type { Point } from './query-parameter.ts'
import type { AcceptingPatients, SlotStatus } from './slot.ts'

/** The filters of a query. An absent filter matches every slot. */
export interface SlotFilters {
  readonly status: SlotStatus
  /** Two-letter codes: the state of the location, or a state where the service is licensed. Matches any of them. */
  readonly states?: readonly string[]
  /** False: in person. A slot with both service modes matches both. */
  readonly isVirtual?: boolean
  /** Inclusive bounds of the start, in milliseconds since 1970. Without the first, ended slots are excluded. */
  readonly startAfterMs?: number
  readonly startBeforeMs?: number
  /** Minimum duration, in whole minutes. */
  readonly minDurationMs?: number
  /** Matches any of them. */
  readonly serviceTypeCodes?: readonly string[]
  readonly appointmentType?: string
  /** A slot that does not specify matches every value. */
  readonly acceptingPatients?: AcceptingPatients
  /** Case-insensitive. */
  readonly city?: string
  /** Case-insensitive. */
  readonly postalCodePrefix?: string
  readonly near?: Near
  /** Case-insensitive. */
  readonly specialty?: string
  /** Ten digits. */
  readonly providerNpi?: string
  /** Matches any of them. */
  readonly publishers?: readonly string[]
  readonly scheduleId?: string
  /** See `actorKeyOf()`. */
  readonly actorKey?: string
}

/** A point and a radius around it. */
export interface Near extends Point {
  /** Above 0, up to 500. */
  readonly radiusKm: number
}

/** The filters on the offering of a slot. */
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

/** All filters. */
const FILTERS = [
  ...OFFERING_FILTERS,
  'status',
  'startAfterMs',
  'startBeforeMs',
  'minDurationMs',
] as const satisfies readonly (keyof SlotFilters)[]

/** A text that identifies the filters. */
export function nameFilters(filters: SlotFilters): string {
  return JSON.stringify(FILTERS.map((name) => filters[name]))
}

/** A text that identifies the filters on offerings. */
export function nameOfferingFilters(filters: SlotFilters): string {
  return JSON.stringify(OFFERING_FILTERS.map((name) => filters[name]))
}
