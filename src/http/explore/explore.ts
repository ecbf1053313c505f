import type { Steps } from '../../lib/steps.ts'
import { type Day, findTimeZone, type TimeZone } from '../../lib/time-zone.ts'
import type { DaysView } from '../../shared/contract/explore.ts'
import { InvalidParameter } from '../../slot/query-parameter.ts'
import { parseSlotQuery, type SlotQuery } from '../../slot/slot-query.ts'
import type { SlotIndex } from '../../slot-index/slot-index.ts'
import { SLOTS_PATH } from '../v1/list-slots/list-slots.ts'
import { slotLinks } from '../v1/page-links.ts'

export const GRID_DAYS_MAX = 14
const STATES_MAX = 15
const NO_STATE = 'XX'

/** The response of `GET /v1/scheduling/slots` to a query string: its body and its `Link`. Throws `InvalidParameter`. */
export function* searchPage(
  search: string,
  index: SlotIndex,
  { baseUrl, now }: { baseUrl: string; now: () => number },
): Steps<{ body: Uint8Array; link: string }> {
  const query = parseSlotQuery(search)
  const page = yield* index.inSteps(now, (view) => view.select(query, Buffer.allocUnsafeSlow))
  return { body: page.body, link: slotLinks(baseUrl + SLOTS_PATH, search, query, page) }
}

/**
 * Counts the slots of a search by day and state; a slot with several states counts in each, but once in the total.
 * Parameters: those of the list without `limit`, `offset`, `cursor` and `sort`; `zone`, the IANA time zone of the days,
 * UTC by default; and `states=all`, for more than the 15 states with the most slots. The days start with that of `startAfter` or today, and end with that of `startBefore`. Throws
 * `InvalidParameter`.
 */
export function* countSlotsByDay(search: string, index: SlotIndex, now: () => number): Steps<DaysView> {
  const { query, zone, statesMax } = parseSearch(search)
  const { days, edgesMs } = daysOf(query, zone, now())
  const { all, byState } = yield* index.inSteps(now, (view) => view.countStarts(query, edgesMs))
  const states = [...byState]
    .map(([state = NO_STATE, counts]) => ({ state, counts, sum: sumOf(counts) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || (a.state < b.state ? -1 : 1))
  return {
    days: days.map(({ date }) => date),
    states: states.slice(0, statesMax).map(({ state, counts }) => ({ state, counts: [...counts] })),
    stateCount: states.length,
    total: sumOf(all),
  }
}

function parseSearch(search: string): { query: SlotQuery; zone: TimeZone; statesMax: number } {
  const pairs = search.split('&')
  const paging = pairs.find((pair) => /^(limit|offset|cursor|sort)(=|$)/.test(pair))?.split('=')[0]
  if (paging !== undefined) throw new InvalidParameter(paging, `${paging} is not allowed: days have no pages.`)
  const own = pairs.filter((pair) => /^(zone|states)(=|$)/.test(pair))
  const states = ownValue(own, 'states') ?? 'top'
  if (states !== 'top' && states !== 'all') throw new InvalidParameter('states', 'states must be top or all.')
  return {
    query: parseSlotQuery(pairs.filter((pair) => !own.includes(pair)).join('&')),
    zone: zoneNamed(ownValue(own, 'zone') ?? 'UTC'),
    statesMax: states === 'all' ? Number.POSITIVE_INFINITY : STATES_MAX,
  }
}

/** The value of a parameter of this operation alone. Throws `InvalidParameter`. */
function ownValue(pairs: readonly string[], name: string): string | undefined {
  const values = pairs.filter((pair) => pair.split('=')[0] === name)
  if (values.length > 1) throw new InvalidParameter(name, `${name} must not be repeated.`)
  return values.length === 0 ? undefined : (new URLSearchParams(values[0]).get(name) ?? '')
}

function zoneNamed(name: string): TimeZone {
  const zone = findTimeZone(name)
  if (zone !== undefined) return zone
  const message = `zone must be an IANA time zone, such as America/New_York: got "${name.slice(0, 100)}".`
  throw new InvalidParameter('zone', message)
}

/** The days and their boundaries, with the bounds of the query applied to the first and the last. */
function daysOf(query: SlotQuery, zone: TimeZone, nowMs: number): { days: Day[]; edgesMs: number[] } {
  const fromMs = query.startAfterMs ?? nowMs
  const endMs = (query.startBeforeMs ?? Number.POSITIVE_INFINITY) + 1
  const [today, ...later] = zone.daysFrom(fromMs, GRID_DAYS_MAX + 1)
  const first = { ...today, startMs: query.startAfterMs ?? today.startMs }
  // RFC 3339 ends with the year 9999.
  const next = later.find(({ date }, n) => n === GRID_DAYS_MAX - 1 || date.length > 10)
  const lastMs = Math.min(endMs, next?.startMs ?? endMs)
  const days = [first, ...later].filter(({ startMs }) => startMs < lastMs)
  return { days, edgesMs: [...days.map(({ startMs }) => startMs), lastMs] }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
