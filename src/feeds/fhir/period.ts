import { asObject, asText, type Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { PlanningHorizon } from '../../slot/planning-horizon.ts'

/** The bounds of a FHIR Period in milliseconds since 1970; the end is exclusive. A bound that is absent or invalid is infinite. */
export interface PeriodBounds {
  readonly fromMs: number
  readonly toMs: number
}

/** A partial date (`2020`, `2020-05`, `2020-05-31`) includes its last day, in UTC. */
export function boundsOf(period: unknown): PeriodBounds {
  const { start, end } = asObject(period) ?? {}
  return {
    fromMs: orInfinite(Date.parse(asText(start) ?? ''), Number.NEGATIVE_INFINITY),
    toMs: orInfinite(endOf(asText(end) ?? ''), Number.POSITIVE_INFINITY),
  }
}

/** True if a FHIR Period ended before `nowMs`. */
export function hasEnded(period: unknown, nowMs: number): boolean {
  return boundsOf(period).toMs <= nowMs
}

/** The `planningHorizon` of a Schedule; a bound that is no FHIR dateTime is left out. */
export function planningHorizonOf({ planningHorizon }: Json): PlanningHorizon | undefined {
  const { start, end } = asObject(planningHorizon) ?? {}
  const horizon = defined({ start: dateTimeIn(start), end: dateTimeIn(end) })
  return horizon.start === undefined && horizon.end === undefined ? undefined : horizon
}

function dateTimeIn(value: unknown): string | undefined {
  const text = asText(value)
  return text !== undefined && DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** FHIR R4, 2.24.0.1: years begin with 0001; a time has seconds and an offset of at most 14 hours. */
const DATE_TIME =
  /^(?!0000)\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)))?)?)?$/

function endOf(text: string): number {
  const [whole, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (whole === undefined) return Date.parse(text) + 1
  return day ? Date.UTC(+year, +month - 1, +day + 1) : Date.UTC(+year, month ? +month : 12, 1)
}

function orInfinite(ms: number, infinite: number): number {
  return Number.isNaN(ms) ? infinite : ms
}
