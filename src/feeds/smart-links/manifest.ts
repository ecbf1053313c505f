import { asObject, excerpt, got, type Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { RESOURCE_TYPES } from '../../slot/slot.ts'
import { FeedFailure } from '../connector.ts'
import { withoutCredentials } from '../http/request-options.ts'

/** A parsed `$bulk-publish` manifest, or one of its pages. */
export interface Manifest {
  /**
   * It has `manifestType`, `link` or deletions: resources are identified by type and id, the latest version counts, and files do not
   * change. Other manifests are of an older generation, whose publishers reuse the ids of Slots and replace files in place.
   */
  readonly isBulkPublish: boolean
  /** In the order of their first entry. */
  readonly files: readonly ListedFile[]
  /** Absolute URLs of files with deletions, which apply after `files`. */
  readonly deleted: readonly string[]
  /** Absolute URLs of files with OperationOutcomes. */
  readonly outcomes: readonly string[]
  /** The absolute URL of the next page; `#pending`: it is not published yet; `#closed`: there will be none. Absent on a last page. */
  readonly next?: string
  /** `transactionTime` in milliseconds since 1970; absent if it is not an instant. */
  readonly publishedAtMs?: number
  readonly updateCadenceMs?: number
  /** `requiresAccessToken` is `false`. */
  readonly filesArePublic: boolean
}

/** A file of the manifest; a file that is listed twice appears once. */
export interface ListedFile {
  /** Absolute, without user and password. */
  readonly url: string
  /** The known types that it is listed under: at least one, sorted. */
  readonly types: readonly string[]
  /** Its number of resources. */
  readonly count?: number
}

/** `next` of the last page of an open chain of updates, and of a chain that has ended. */
export const PENDING = '#pending'
export const CLOSED = '#closed'

/** The largest chains publish some thousands: one file per state, day and type. */
export const FILES_MAX = 10_000

/**
 * Parses a manifest and resolves URLs against `base`. Throws `FeedFailure` also for what would change which slots there are and is not
 * understood; `strict` also rejects tolerated deviations.
 */
export function parseManifest(text: string, base: URL, strict: boolean): Manifest {
  const manifest = parseObject(text)
  const { transactionTime, outputFormat } = manifest
  const next = nextOf(manifest.link, base)
  const output = entriesOf(manifest, 'output', next === undefined)
  const deleted = urlsOf(entriesOf(manifest, 'deleted'), base)
  if (strict) refuseLooseness(manifest, output)
  if (typeof outputFormat === 'string' && !/ndjson/i.test(outputFormat))
    throw failure(`"outputFormat" must be application/fhir+ndjson: ${got(outputFormat)}`)
  if ([manifest.outputOrganizedBy ?? []].flat().length > 0)
    throw failure('"outputOrganizedBy" must be absent: files with blocks of several types are not read')
  const publishedAtMs = typeof transactionTime === 'string' ? parseInstant(transactionTime)?.ms : undefined
  const updateCadenceMs = durationMs(manifest.updateCadence)
  return {
    isBulkPublish: typeof manifest.manifestType === 'string' || Array.isArray(manifest.link) || deleted.length > 0,
    files: filesOf(output, base),
    deleted,
    outcomes: outcomesOf(manifest, base),
    ...defined({ next, publishedAtMs, updateCadenceMs }),
    filesArePublic: manifest.requiresAccessToken === false,
  }
}

/** A publisher's page for people, in place of data. */
export function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text)
}

/** A duration of ISO 8601 in milliseconds, with months of 30 days; undefined if it is none, or no time at all. */
export function durationMs(value: unknown): number | undefined {
  const match = typeof value === 'string' && value.length < 50 ? DURATION.exec(value) : null
  if (match === null) return undefined
  const amounts = match.slice(1).map((digits) => Number(digits ?? 0))
  const ms = amounts.reduce((sum, amount, at) => sum + amount * (DURATION_UNITS[at] ?? 0), 0)
  return ms > 0 && Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined
}

const NUMBER = String.raw`(\d+(?:\.\d+)?)`
const DURATION = new RegExp(
  `^P(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
)
const DURATION_UNITS = [365 * DAY_MS, 30 * DAY_MS, 7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, 1000]

function parseObject(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    if (isWebPage(text)) throw new FeedFailure('Cannot read manifest: it must be JSON: got a web page', { cause })
    throw new FeedFailure(`Cannot read manifest: it must be JSON: ${got(text)}`, { cause })
  }
  const manifest = asObject(value)
  if (manifest === undefined) throw failure(`it must be a JSON object: ${got(value)}`)
  return manifest
}

/** The entries of a list, which may be absent or null unless it is required. */
function entriesOf(manifest: Json, name: string, required = false): readonly unknown[] {
  const list = manifest[name]
  if (Array.isArray(list)) return list
  if (!required && (list === undefined || list === null)) return []
  throw failure(`"${name}" must be an array: ${got(list)}`)
}

function filesOf(output: readonly unknown[], base: URL): ListedFile[] {
  const files = new Map<string, { types: Set<string>; count: number | undefined }>()
  for (const entry of output) {
    const { type, url, count } = asObject(entry) ?? {}
    if (typeof type !== 'string')
      throw failure(`each entry of "output" must have a "type": got "${excerpt(entry)}", whose resources are unknown`)
    // Files of other types are ignored, as the specification requires.
    if (!RESOURCE_TYPES.some((known) => known === type)) continue
    const absolute = absoluteUrl(url, base)
    const listed = files.get(absolute) ?? { types: new Set(), count: undefined }
    if (typeof count === 'number' && Number.isSafeInteger(count)) listed.count = Math.max(listed.count ?? 0, count)
    listed.types.add(type)
    files.set(absolute, listed)
    if (files.size > FILES_MAX) throw failure(`"output" must list at most ${FILES_MAX} files`)
  }
  return [...files].map(([url, { types, count }]) => ({ url, types: [...types].sort(), ...defined({ count }) }))
}

function urlsOf(entries: readonly unknown[], base: URL): string[] {
  const urls = new Set(entries.map((entry) => absoluteUrl(asObject(entry)?.url, base)))
  if (urls.size > FILES_MAX) throw failure(`"deleted" must list at most ${FILES_MAX} files`)
  return [...urls]
}

/** They are informational, so an invalid one is ignored. */
function outcomesOf({ outcome }: Json, base: URL): string[] {
  const entries = Array.isArray(outcome) ? outcome.slice(0, OUTCOMES_MAX) : []
  return entries.flatMap((entry) => webUrl(asObject(entry)?.url, base) ?? [])
}

const OUTCOMES_MAX = 20

/** Of any other relation, nothing is known that changes which slots there are. */
function nextOf(link: unknown, base: URL): string | undefined {
  if (link === undefined || link === null) return undefined
  if (!Array.isArray(link)) throw failure(`"link" must be an array: ${got(link)}`)
  const links = link.map((entry) => asObject(entry) ?? {})
  const unknown = links.find(({ relation }) => typeof relation !== 'string')
  if (unknown !== undefined) throw failure(`each "link" must have a "relation": ${got(unknown)}`)
  const [next, ...others] = links.filter(({ relation }) => relation === 'next')
  if (others.length > 0) throw failure('"link" must have one "next": got several')
  if (next === undefined || next.url === PENDING || next.url === CLOSED) return next?.url as string | undefined
  if (typeof next.url === 'string' && !next.url.startsWith('#')) return absoluteUrl(next.url, base)
  throw failure(`"next" must be a URL, "${PENDING}" or "${CLOSED}": ${got(next.url)}`)
}

function absoluteUrl(url: unknown, base: URL): string {
  const absolute = webUrl(url, base)
  if (absolute === undefined) throw failure(`"url" must be an http or https URL: ${got(url)}`)
  return absolute
}

/** Undefined if it is no http or https URL. */
function webUrl(url: unknown, base: URL): string | undefined {
  const absolute = typeof url === 'string' ? URL.parse(url, base) : null
  if (absolute?.protocol !== 'http:' && absolute?.protocol !== 'https:') return undefined
  absolute.hash = ''
  return withoutCredentials(absolute).href
}

function refuseLooseness(manifest: Json, output: readonly unknown[]): void {
  const { transactionTime, error } = manifest
  if (typeof transactionTime !== 'string' || parseRfc3339(transactionTime) === undefined) {
    throw failure(`"transactionTime" must be an instant: ${got(transactionTime)}`)
  }
  if (error !== undefined && !Array.isArray(error)) throw failure(`"error" must be an array: ${got(error)}`)
  for (const entry of output) refuseLooseEntry(asObject(entry) ?? {})
}

function refuseLooseEntry({ url, extension }: Json): void {
  if (typeof url !== 'string' || !URL.canParse(url)) throw failure(`"url" must be absolute: ${got(url)}`)
  if (extension === undefined) return
  const hints = asObject(extension)
  if (hints === undefined) throw failure(`"extension" must be an object: ${got(extension)}`)
  const { state } = hints
  if (state !== undefined && !Array.isArray(state)) throw failure(`"state" must be an array: ${got(state)}`)
}

function failure(message: string): FeedFailure {
  return new FeedFailure(`Cannot read manifest: ${message}`)
}
