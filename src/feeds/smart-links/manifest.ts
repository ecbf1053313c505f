import { asObject, excerpt, type Json } from '../../lib/json.ts'
import { parseInstant, parseRfc3339 } from '../../slot/instant.ts'
import { FeedFailure } from '../connector.ts'
import { READ_TYPES } from '../fhir/resources.ts'
import { withoutCredentials } from '../http/request-options.ts'

/** A parsed `$bulk-publish` manifest. */
export interface Manifest {
  readonly files: readonly ListedFile[]
  /** `transactionTime` in milliseconds since 1970; absent if it is not an instant. */
  readonly publishedAtMs?: number
}

/** A file of the manifest; a file that is listed twice appears once. */
export interface ListedFile {
  /** Absolute, without user and password. */
  readonly url: string
  /** The known types that it is listed under: at least one, sorted. */
  readonly types: readonly string[]
}

/** A manifest may list files of other types, which are ignored as the specification requires. */
export const FILE_TYPES: readonly string[] = READ_TYPES

/** The largest chains publish some thousands: one file per state, day and type. */
export const FILES_MAX = 10_000

/** Parses a manifest and resolves URLs against `base`. Throws `FeedFailure`; `strict` also rejects tolerated deviations. */
export function parseManifest(text: string, base: URL, strict: boolean): Manifest {
  const manifest = parseObject(text)
  const { output } = manifest
  if (!Array.isArray(output)) throw failure(`"output" must be an array: got "${excerpt(output)}"`)
  if (strict) refuseLooseness(manifest, output)
  const types = new Map<string, Set<string>>()
  for (const entry of output) {
    const { type, url } = asObject(entry) ?? {}
    if (!FILE_TYPES.some((known) => known === type)) continue
    const absolute = absoluteUrl(url, base)
    types.set(absolute, (types.get(absolute) ?? new Set()).add(String(type)))
    if (types.size > FILES_MAX) throw failure(`"output" must list at most ${FILES_MAX} files`)
  }
  const files = [...types].map(([url, ofUrl]) => ({ url, types: [...ofUrl].sort() }))
  const { transactionTime } = manifest
  const publishedAtMs = typeof transactionTime === 'string' ? parseInstant(transactionTime)?.ms : undefined
  return { files, ...(publishedAtMs === undefined ? {} : { publishedAtMs }) }
}

function parseObject(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new FeedFailure(`Cannot read manifest: it must be JSON: got "${excerpt(text)}"`, { cause })
  }
  const manifest = asObject(value)
  if (manifest === undefined) throw failure(`it must be a JSON object: got "${excerpt(value)}"`)
  return manifest
}

function absoluteUrl(url: unknown, base: URL): string {
  const absolute = typeof url === 'string' && URL.canParse(url, base.href) ? new URL(url, base) : undefined
  if (absolute?.protocol === 'http:' || absolute?.protocol === 'https:') {
    absolute.hash = ''
    return withoutCredentials(absolute).href
  }
  throw failure(`"url" must be an http or https URL: got "${excerpt(url)}"`)
}

function refuseLooseness(manifest: Json, output: readonly unknown[]): void {
  const { transactionTime, error } = manifest
  if (typeof transactionTime !== 'string' || parseRfc3339(transactionTime) === undefined) {
    throw failure(`"transactionTime" must be an instant: got "${excerpt(transactionTime)}"`)
  }
  if (error !== undefined && !Array.isArray(error)) throw failure(`"error" must be an array: got "${excerpt(error)}"`)
  for (const entry of output) refuseLooseEntry(asObject(entry) ?? {})
}

function refuseLooseEntry({ url, extension }: Json): void {
  if (typeof url !== 'string' || !URL.canParse(url)) throw failure(`"url" must be absolute: got "${excerpt(url)}"`)
  if (extension === undefined) return
  const hints = asObject(extension)
  if (hints === undefined) throw failure(`"extension" must be an object: got "${excerpt(extension)}"`)
  const { state } = hints
  if (state !== undefined && !Array.isArray(state)) throw failure(`"state" must be an array: got "${excerpt(state)}"`)
}

function failure(message: string): FeedFailure {
  return new FeedFailure(`Cannot read manifest: ${message}`)
}
