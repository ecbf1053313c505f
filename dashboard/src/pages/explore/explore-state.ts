import { DAY_MS } from '../../../../src/lib/time.ts'
import { dayOf, endOfDay, endOfDayText, startOfDay, startOfDayText } from './local-time.ts'

/** Every filter of the list operation, by its name there, in the order of the form. */
export const FILTERS = [
  'state',
  'isVirtual',
  'city',
  'startAfter',
  'startBefore',
  'status',
  'serviceTypeCode',
  'appointmentType',
  'acceptingPatients',
  'minDurationMinutes',
  'postalCode',
  'near',
  'radiusKm',
  'specialty',
  'providerNpi',
  'publisher',
  'scheduleId',
  'actorKey',
] as const

export type Filter = (typeof FILTERS)[number]

/** What the page's address says: the request's own query, which slot is open, and whether slots or days are shown. */
export type ExploreState = Readonly<Partial<Record<Filter | 'limit' | 'offset' | 'slot' | 'view', string>>>

/** What the list operation takes when nothing is said. */
export const LIMIT_DEFAULT = 25

const NAMES = [...FILTERS, 'limit', 'offset', 'slot', 'view'] as const

/** What an address says, whatever else stands in it. A wrong value stays: the service says what is wrong with it. */
export function parseExploreState(search: Readonly<Record<string, unknown>>): ExploreState {
  const state: Partial<Record<(typeof NAMES)[number], string>> = {}
  for (const name of NAMES) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') state[name] = value
  }
  return state
}

/** The state as the router takes it, without what is empty. */
export function formatExploreState(state: ExploreState): Record<string, string> {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== ''))
}

/** The parameters of the request for slots; what is the default is left out. */
export function slotParameters(state: ExploreState): Record<string, string> {
  const { slot: _slot, view: _view, limit, offset, ...filters } = state
  return formatExploreState({
    ...filters,
    ...(limit !== String(LIMIT_DEFAULT) && { limit }),
    ...(offset !== '0' && { offset }),
  })
}

/**
 * The parameters of the picture of days, which is a map to choose from: all filters but those that a choice in it sets.
 * It begins now, unless the wanted time lies outside of the days that it would show.
 */
export function dayParameters(state: ExploreState, zone: string, nowMs: number): Record<string, string> {
  const {
    state: _state,
    startAfter,
    startBefore: _before,
    limit: _limit,
    offset: _offset,
    ...rest
  } = slotParameters(state)
  const from = mapStart(startAfter, nowMs)
  return { ...rest, ...(from !== undefined && { startAfter: from }), zone }
}

/** The state after a change of filters: on its first page, with no slot open, and no distance from a point that is gone. */
export function refine(
  state: ExploreState,
  change: Partial<Record<Filter, string | undefined>>,
): ExploreState {
  const { slot: _, offset: _offset, ...rest } = state
  const next = { ...rest, ...change }
  if (state.near === undefined || next.near !== undefined) return next
  const { radiusKm: _radius, ...anywhere } = next
  return anywhere
}

/** The filters that are set and could be let go, in the order of the form: a distance goes with its point. */
export function activeFilters(state: ExploreState): Filter[] {
  return FILTERS.filter((name) => state[name] !== undefined && state[name] !== '' && !isOfPoint(name, state))
}

function isOfPoint(name: Filter, state: ExploreState): boolean {
  return name === 'radiusKm' && state.near !== undefined
}

/** The bounds that keep to one day of the visitor's zone. Today has no lower one: then the service leaves out what has ended. */
export function dayWindow(
  day: string,
  nowMs: number,
): { startAfter: string | undefined; startBefore: string } {
  const isToday = day === dayOf(nowMs)
  return { startAfter: isToday ? undefined : startOfDayText(day), startBefore: endOfDayText(day) }
}

/** The day that the bounds keep to; undefined if they do not keep to one. */
export function selectedDay(state: ExploreState, nowMs: number): string | undefined {
  const beforeMs = Date.parse(state.startBefore ?? '')
  if (Number.isNaN(beforeMs)) return undefined
  const day = dayOf(beforeMs)
  const window = dayWindow(day, nowMs)
  const isWhole = state.startBefore === window.startBefore && state.startAfter === window.startAfter
  return isWhole ? day : undefined
}

/** How many days the picture shows at most. */
const MAP_DAYS = 14

function mapStart(startAfter: string | undefined, nowMs: number): string | undefined {
  const afterMs = Date.parse(startAfter ?? '')
  if (Number.isNaN(afterMs)) return undefined
  const isShown =
    afterMs >= startOfDay(dayOf(nowMs)) && afterMs <= endOfDay(dayOf(nowMs + (MAP_DAYS - 1) * DAY_MS))
  return isShown ? undefined : startAfter
}
