import type { Point } from './query-parameter.ts'
import type { AcceptingPatients, SlotStatus } from './slot.ts'

/** The longest duration that a filter can ask for: a day. */
export const MIN_DURATION_MINUTES_MAX = 1440

/** The filters of a query. An absent filter matches every slot. */
export interface SlotFilters {
  readonly status: SlotStatus
  /** Codes as in `Location.state`: the state of the location, or a state where the service is licensed. Matches any of them. */
  readonly states?: readonly string[] | undefined
  /** False: in person. A slot with both service modes matches both. */
  readonly isVirtual?: boolean | undefined
  /** Inclusive bounds of the start, in milliseconds since 1970. Without the first, ended slots are excluded. */
  readonly startAfterMs?: number | undefined
  readonly startBeforeMs?: number | undefined
  /** Minimum duration, in whole minutes: at most `MIN_DURATION_MINUTES_MAX`. */
  readonly minDurationMs?: number | undefined
  /** Any of them matches any of a slot's service types. */
  readonly serviceTypeCodes?: readonly string[] | undefined
  /** Any of a slot's appointment types. */
  readonly appointmentType?: string | undefined
  /** A slot that does not specify matches every value. */
  readonly acceptingPatients?: AcceptingPatients | undefined
  /** Case, accents and repeated spaces do not matter. */
  readonly city?: string | undefined
  /** See `postalKey()`. */
  readonly postalCodePrefix?: string | undefined
  readonly near?: Near | undefined
  /** Case-insensitive. Any of a slot's specialties. */
  readonly specialty?: string | undefined
  /** Ten digits. */
  readonly providerNpi?: string | undefined
  /** Language tags in lower case; `es` also matches `es-mx`. Matches any of them. */
  readonly languages?: readonly string[] | undefined
  /** `system|value` of the slot or a resource behind it. Matches any of them. */
  readonly identifiers?: readonly string[] | undefined
  /** Matches any of them. */
  readonly publishers?: readonly string[] | undefined
  readonly scheduleId?: string | undefined
  /** See `actorKeyOf()`. */
  readonly actorKey?: string | undefined
}

/** A point and a radius around it. */
export interface Near extends Point {
  /** Above 0, up to 500. */
  readonly radiusKm: number
}

/** All filters. */
export const FILTER_NAMES = [
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
  return JSON.stringify(FILTER_NAMES.map((name) => filters[name]))
}
