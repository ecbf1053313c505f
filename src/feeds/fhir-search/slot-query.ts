import { asText, excerpt, type Json, objectsIn } from '../../lib/json.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { FeedFailure } from '../connector.ts'
import { type ArrayLocation, JsonArraySplitter } from '../http/json-array-splitter.ts'
import { InvalidData } from '../rejections.ts'
import type { ServerClient } from './server-client.ts'

/** The time range of a search, in milliseconds since 1970, both included. */
export interface SearchWindow {
  readonly fromMs: number
  readonly untilMs: number
}

/** Which resources the server is asked to include: all that Slots refer to, only Schedules, or none. */
export const INCLUDES = ['all', 'schedule', 'none'] as const
export type Includes = (typeof INCLUDES)[number]

/** Servers may send fewer. */
const PAGE_ENTRIES = 500

/** Starts at the current hour: a URL that changes every second could not be cached. */
export function searchWindowOf(nowMs: number, daysAhead: number): SearchWindow {
  const fromMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  return { fromMs, untilMs: fromMs + daysAhead * DAY_MS }
}

/** The base URL of a server, and the operator's search parameters from its query string. */
export function baseOf(url: URL): { base: URL; filters: URLSearchParams } {
  const base = new URL(url)
  base.search = ''
  base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return { base, filters: url.searchParams }
}

/** True if the operator's parameters include `start`, which replaces the window. */
export function hasStartFilter(filters: URLSearchParams): boolean {
  return [...filters.keys()].some((name) => name.split(':')[0] === 'start')
}

/** The first page of a Slot search. The operator's parameters come first and replace the defaults. */
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

/** References of a Schedule, as search parameters. */
const INCLUDED = [
  'Schedule:actor',
  'PractitionerRole:practitioner',
  'PractitionerRole:location',
  'PractitionerRole:service',
  'HealthcareService:location',
]

/** The modifier was renamed in R4. */
const ITERATE: Readonly<Record<ServerVersion, string>> = { R4: 'iterate', STU3: 'recurse' }

function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** The URL of the next page, resolved against the current one; undefined on the last page. Throws `InvalidData` unless it is http or https. */
export function nextPage({ link }: Json, page: URL): URL | undefined {
  const next = objectsIn(link).find(({ relation }) => relation === 'next')
  if (next === undefined) return undefined
  const url = typeof next.url === 'string' ? URL.parse(next.url, page) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidData(`link "next" must be an http or https URL: got "${excerpt(next.url)}"`)
  // Servers behind a TLS-terminating proxy often write http into their links.
  if (page.protocol === 'https:' && url.protocol === 'http:' && url.hostname === page.hostname) {
    url.protocol = 'https:'
    url.port = page.port
  }
  url.hash = ''
  return url
}

/** Supported versions of FHIR. Slots of R4B are the same as in R4. */
export type ServerVersion = 'R4' | 'STU3'

/** The FHIR version in a server's CapabilityStatement. Throws `FeedFailure` if it is missing or not supported. */
export async function readServerVersion(client: ServerClient, base: URL): Promise<ServerVersion> {
  const url = new URL('metadata', base)
  const response = await client.open(url)
  const failure = (why: string) => new FeedFailure(`Cannot read ${client.plainUrl(url).href}: ${why}`)
  const splitter = new JsonArraySplitter(REST)
  try {
    for await (const piece of response.body) splitter.split(piece)
    return versionOf(splitter.end())
  } catch (error) {
    if (error instanceof InvalidData) throw failure(error.message)
    throw error
  }
}

/** The long member of the document, which is skipped. */
const REST: ArrayLocation = { names: ['rest'], atRoot: false, document: 'a JSON object' }

function versionOf({ resourceType, fhirVersion }: Json): ServerVersion {
  const version = asText(fhirVersion) ?? ''
  const known = VERSIONS.find(({ form }) => form.test(version))
  if (known?.name === 'R4' || known?.name === 'STU3') return known.name
  if (known === undefined && resourceType !== 'CapabilityStatement' && resourceType !== 'Conformance') {
    throw new InvalidData(`it must be a CapabilityStatement: got "${excerpt(resourceType)}"`)
  }
  const name = known === undefined ? '' : ` (${known.name})`
  throw new InvalidData(`fhirVersion must be of R4, R4B or STU3: got "${excerpt(fhirVersion)}"${name}`)
}

/** By `fhirVersion`: ballots before a release count as the release. */
const VERSIONS = [
  { form: /^(?:0\.[1-9]|1\.0)\b/, name: 'DSTU2' },
  { form: /^(?:1\.[1-9]|3\.)/, name: 'STU3' },
  { form: /^4\.[0-3]\b/, name: 'R4' },
  { form: /^(?:4\.[4-9]|5\.)/, name: 'R5' },
  { form: /^6\./, name: 'R6' },
] as const
