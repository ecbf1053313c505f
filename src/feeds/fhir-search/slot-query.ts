import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import type { ServerVersion } from './server-version.ts'

/** From when until when slots are asked for, in milliseconds since 1970, both included. */
export interface SearchWindow {
  readonly fromMs: number
  readonly untilMs: number
}

/** How much of what a Slot leads to a server is asked to send along: all, its Schedule, or nothing. */
export const INCLUDES = ['all', 'schedule', 'none'] as const
export type Includes = (typeof INCLUDES)[number]

/** Servers cap it as they like. */
const PAGE_ENTRIES = 500

/** Days from the hour that has begun: a URL that changes with every second could be answered from no cache. */
export function searchWindowOf(nowMs: number, daysAhead: number): SearchWindow {
  const fromMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return { fromMs, untilMs: fromMs + daysAhead * DAY_MS }
}

/** The base of a server as others are resolved against it, and what its operator put behind a `?` to narrow the search. */
export function baseOf(url: URL): { base: URL; filters: URLSearchParams } {
  const base = new URL(url)
  base.search = ''
  base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return { base, filters: url.searchParams }
}

/** True if the operator says from when until when, in place of a window. */
export function hasStartFilter(filters: URLSearchParams): boolean {
  return [...filters.keys()].some((name) => name.split(':')[0] === 'start')
}

/** The first page of a search of Slots. What narrows it comes first and stands in the place of what we would ask. */
export function slotSearchUrl(
  { base, filters }: { base: URL; filters: URLSearchParams },
  window: SearchWindow,
  { version, includes }: { version: ServerVersion; includes: Includes },
): URL {
  const url = new URL('Slot', base)
  const query = new URLSearchParams(filters)
  if (!hasStartFilter(filters)) {
    query.append('start', `ge${instant(window.fromMs)}`)
    query.append('start', `le${instant(window.untilMs)}`)
  }
  if (includes !== 'none') query.append('_include', 'Slot:schedule')
  if (includes === 'all') for (const each of INCLUDED) query.append(`_include:${ITERATE[version]}`, each)
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

/** What a Schedule leads to, by the names of search parameters. */
const INCLUDED = [
  'Schedule:actor',
  'PractitionerRole:practitioner',
  'PractitionerRole:location',
  'PractitionerRole:service',
  'HealthcareService:location',
]

/** The one thing of this search that was called otherwise before R4. */
const ITERATE: Readonly<Record<ServerVersion, string>> = { R4: 'iterate', STU3: 'recurse' }

function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
