import type { Point } from './query-parameter.ts'
import type { AcceptingPatients, SlotStatus } from './slot.ts'

/** The longest duration that a filter can ask for: a day. */
export const MIN_DURATION_MINUTES_MAX = 1440

/** The filters of a query. An absent filter matches every slot. */
export interface SlotFilters {
  readonly status: SlotStatus
  /** Codes as in `Location.state`: the state of the location, or a state where the service is licensed. Matches any of them. */
  readonly states?: readonly string[]
  /** False: in person. A slot with both service modes matches both. */
  readonly isVirtual?: boolean
  /** Inclusive bounds of the start, in milliseconds since 1970. Without the first, ended slots are excluded. */
  readonly startAfterMs?: number
  readonly startBeforeMs?: number
  /** Minimum duration, in whole minutes: at most `MIN_DURATION_MINUTES_MAX`. */
  readonly minDurationMs?: number
  /** Any of them matches any of a slot's service types. */
  readonly serviceTypeCodes?: readonly string[]
  /** Any of a slot's appointment types. */
  readonly appointmentType?: string
  /** A slot that does not specify matches every value. */
  readonly acceptingPatients?: AcceptingPatients
  /** Case and accents do not matter. */
  readonly city?: string
  /** Case-insensitive. */
  readonly postalCodePrefix?: string
  readonly near?: Near
  /** Case-insensitive. Any of a slot's specialties. */
  readonly specialty?: string
  /** Ten digits. */
  readonly providerNpi?: string
  /** Language tags in lower case; `es` also matches `es-mx`. Matches any of them. */
  readonly languages?: readonly string[]
  /** `system|value` of the slot or a resource behind it. Matches any of them. */
  readonly identifiers?: readonly string[]
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

/** All filters. */
const FILTERS = [
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
  'languages',
  'identifiers',
  'publishers',
  'scheduleId',
  'actorKey',
  'status',
  'startAfterMs',
  'startBeforeMs',
  'minDurationMs',
] as const satisfies readonly (keyof SlotFilters)[]

/** A text that identifies the filters. */
export function nameFilters(filters: SlotFilters): string {
  return JSON.stringify(FILTERS.map((name) => filters[name]))
}
