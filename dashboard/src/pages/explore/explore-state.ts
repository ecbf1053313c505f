import { DAY_MS } from '../../../../src/lib/time.ts'
import { dayOf } from '../../components/visitor-time.ts'
import { endOfDay, endOfDayText, startOfDay, startOfDayText } from './local-time.ts'

/** Every filter of the list operation, by parameter name, in the order of the form. */
export const FILTERS = [
  'state',
  'isVirtual',
  'city',
  'startAfter',
  'startBefore',
  'status',
  'near',
  'radiusKm',
  'serviceTypeCode',
  'appointmentType',
  'acceptingPatients',
  'minDurationMinutes',
  'postalCode',
  'specialty',
  'providerNpi',
  'language',
  'identifier',
  'publisher',
  'scheduleId',
  'actorKey',
] as const

export type Filter = (typeof FILTERS)[number]

/**
 * The state in the URL: the request's query, the name of the place that is `near`, the open slot, the view (slots, map or days), and whose
 * time is shown.
 */
export type ExploreState = Readonly<Partial<Record<(typeof NAMES)[number], string>>>

/** The default of the list operation. */
export const LIMIT_DEFAULT = 25

const NAMES = [...FILTERS, 'sort', 'limit', 'offset', 'place', 'slot', 'view', 'times'] as const

/** Parses query parameters and drops unknown ones. Invalid values stay: the server reports the error. */
export function parseExploreState(search: Readonly<Record<string, unknown>>): ExploreState {
  const state: Partial<Record<(typeof NAMES)[number], string>> = {}
  for (const name of NAMES) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') state[name] = value
  }
  return state
}

/** The state as query parameters, without empty values. */
export function formatExploreState(state: ExploreState): Record<string, string> {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ''))
}

/** The parameters of the request for slots, without default values. */
export function slotParameters(state: ExploreState): Record<string, string> {
  const { slot: _slot, view: _view, place: _place, times: _times, sort, limit, offset, ...filters } = state
  return formatExploreState({
    ...filters,
    ...(sort !== 'start' && { sort }),
    ...(limit !== String(LIMIT_DEFAULT) && { limit }),
    ...(offset !== '0' && { offset }),
  })
}

/**
 * The parameters of the day grid: all filters except those that a selection in it sets.
 * It starts now unless the chosen time is outside of the days shown.
 */
export function dayParameters(state: ExploreState, zone: string, nowMs: number): Record<string, string> {
  const {
    state: _state,
    startAfter,
    startBefore: _before,
    sort: _sort,
    limit: _limit,
    offset: _offset,
    ...rest
  } = slotParameters(state)
  const from = gridStart(startAfter, nowMs)
  return { ...rest, ...(from !== undefined && { startAfter: from }), zone }
}

/** The parameters of the map of states: all filters except that on the state. */
export function mapParameters(state: ExploreState): Record<string, string> {
  const filters = FILTERS.filter((name) => name !== 'state').map((name) => [name, state[name]])
  return formatExploreState(Object.fromEntries(filters))
}

/** Applies changed filters: goes to the first page, closes the slot, and removes what depends on a point without one. */
export function refine(state: ExploreState, change: ExploreChange): ExploreState {
  const { slot: _, offset: _offset, ...rest } = state
  const next = { ...rest, ...change }
  if (state.near === undefined || next.near !== undefined) return next
  const { radiusKm: _radius, place: _place, sort: _sort, ...anywhere } = next
  return anywhere
}

/** Changed filters and order; undefined removes one. */
export type ExploreChange = Partial<Record<Filter | 'place' | 'sort', string | undefined>>

/** The filters that can be removed, in the order of the form. A radius belongs to its point. */
export function activeFilters(state: ExploreState): Filter[] {
  return FILTERS.filter((name) => state[name] !== undefined && state[name] !== '' && !belongsToPoint(name, state))
}

function belongsToPoint(name: Filter, state: ExploreState): boolean {
  return name === 'radiusKm' && state.near !== undefined
}

/** The time bounds of a day in the visitor's zone. Today has no lower bound, because the service leaves out slots that have ended. */
export function dayWindow(day: string, nowMs: number): { startAfter: string | undefined; startBefore: string } {
  const isToday = day === dayOf(nowMs)
  return { startAfter: isToday ? undefined : startOfDayText(day), startBefore: endOfDayText(day) }
}

/** The day that the bounds select; undefined if they do not select exactly one. */
export function selectedDay(state: ExploreState, nowMs: number): string | undefined {
  const beforeMs = Date.parse(state.startBefore ?? '')
  if (Number.isNaN(beforeMs)) return undefined
  const day = dayOf(beforeMs)
  const window = dayWindow(day, nowMs)
  const isWhole = state.startBefore === window.startBefore && state.startAfter === window.startAfter
  return isWhole ? day : undefined
}

/** Maximum number of days in the grid. */
const GRID_DAYS = 14

function gridStart(startAfter: string | undefined, nowMs: number): string | undefined {
  const afterMs = Date.parse(startAfter ?? '')
  if (Number.isNaN(afterMs)) return undefined
  const isShown = afterMs >= startOfDay(dayOf(nowMs)) && afterMs <= endOfDay(dayOf(nowMs + (GRID_DAYS - 1) * DAY_MS))
  return isShown ? undefined : startAfter
}
