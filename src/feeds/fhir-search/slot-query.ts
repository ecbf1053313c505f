import { got, type Json, objectsIn } from '../../lib/json.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { InvalidData } from '../rejections.ts'
import { SLOT_HOURS_MAX } from '../slot-bounds.ts'
import type { Includes, ServerProfile, ServerVersion } from './server-profile.ts'

/** A time range, in milliseconds since 1970. */
export interface SearchRange {
  readonly fromMs: number
  readonly untilMs: number
}

/** The range in which the slots of a source start: `untilMs` is not included. */
export interface SearchWindow extends SearchRange {
  /** Slots that ended at this time or before are withheld. */
  readonly endedMs: number
}

/** Servers may send fewer. */
const PAGE_ENTRIES = 500

/**
 * The days ahead of the current hour: a URL that changes every second could not be cached. Slots that began earlier and have not ended
 * are part of it: servers search by start, so it begins the longest duration of a slot before.
 */
export function searchWindowOf(nowMs: number, daysAhead: number): SearchWindow {
  const endedMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return { fromMs: endedMs - SLOT_HOURS_MAX * HOUR_MS, untilMs: endedMs + daysAhead * DAY_MS, endedMs }
}

/** The base URL of a server, and the operator's search parameters from its query string. */
export function baseOf(url: URL): { base: URL; filters: URLSearchParams } {
  const base = new URL(url)
  base.search = ''
  base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return { base, filters: url.searchParams }
}

/** True if the operator's parameters include the time, which replaces the window. */
export function hasTimeFilter(filters: URLSearchParams, { until }: ServerProfile): boolean {
  return [...filters.keys()].some((name) => ['start', until[0]].includes(name.split(':', 1)[0]))
}

/**
 * The ranges of the searches that cover a window. Where a server limits the range, they overlap by the longest duration of a slot: so each
 * slot lies completely in one of them.
 */
export function searchRanges(window: SearchWindow, { until: [name], daysMax }: ServerProfile): readonly SearchRange[] {
  const overlapMs = SLOT_HOURS_MAX * HOUR_MS
  const lastMs = name === 'end' ? window.untilMs + overlapMs : window.untilMs
  const lengthMs = (daysMax ?? Number.POSITIVE_INFINITY) * DAY_MS
  const ranges: SearchRange[] = []
  for (let { fromMs } = window; ; fromMs += lengthMs - overlapMs) {
    const untilMs = Math.min(fromMs + lengthMs, lastMs)
    ranges.push({ fromMs, untilMs })
    if (untilMs === lastMs) return ranges
  }
}

/** The conditions of one Slot search. */
interface SlotSearch {
  readonly base: URL
  /** The operator's parameters, which come first and replace the defaults. */
  readonly filters: URLSearchParams
  /** Undefined if the operator's parameters include the time. */
  readonly range: SearchRange | undefined
  /** A reference of the one Schedule to search. */
  readonly schedule: string | undefined
}

/** The first page of a Slot search. */
export function slotSearchUrl(
  { base, filters, range, schedule }: SlotSearch,
  { until: [name, prefix], iterated, parameters }: ServerProfile,
  { version, includes }: { version: ServerVersion; includes: Includes },
): URL {
  const url = new URL('Slot', base)
  const query = new URLSearchParams(filters)
  if (schedule !== undefined) query.set('schedule', schedule)
  if (range !== undefined) {
    query.append('start', `ge${instant(range.fromMs)}`)
    query.append(name, `${prefix}${instant(range.untilMs)}`)
  }
  for (const [name, value] of parameters) if (!query.has(name)) query.append(name, value)
  if (!filters.has('_include')) {
    if (includes !== 'none') query.append('_include', 'Slot:schedule')
    if (includes === 'all') for (const each of iterated) query.append(`_include:${ITERATE[version]}`, each)
  }
  if (!query.has('_count')) query.append('_count', String(PAGE_ENTRIES))
  url.search = query.toString()
  return url
}

/** Resources of one type by their ids. */
export function byIdsUrl(base: URL, type: string, ids: readonly string[]): URL {
  const url = new URL(type, base)
  url.search = new URLSearchParams([
    ['_id', ids.join(',')],
    ['_count', String(ids.length)],
  ]).toString()
  return url
}

/** The modifier was renamed in R4. */
const ITERATE: Readonly<Record<ServerVersion, string>> = { R4: 'iterate', STU3: 'recurse' }

function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/**
 * The URL of the next page, resolved against the current one; undefined on the last page. Throws `InvalidData` unless it is
 * http or https.
 */
export function nextPage({ link }: Json, page: URL): URL | undefined {
  const next = objectsIn(link).find(({ relation }) => relation === 'next')
  if (next === undefined) return undefined
  const url = typeof next.url === 'string' ? URL.parse(next.url, page) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidData(`link "next" must be an http or https URL: ${got(next.url)}`)
  // Servers behind a TLS-terminating proxy often write http into their links.
  if (page.protocol === 'https:' && url.protocol === 'http:' && url.hostname === page.hostname) {
    url.protocol = 'https:'
    url.port = page.port
  }
  url.hash = ''
  return url
}
