import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublicAddress } from '../feeds/http/public-address.ts'
import { InvalidSourceOptions, type SourceOptions } from '../feeds/source-options.ts'
import { isObject } from '../lib/json.ts'
import { defined } from '../lib/optional.ts'
import { isPrivateName } from '../lib/private-name.ts'
import { errorMessage } from '../lib/text.ts'
import { DAYS_AHEAD, DAYS_AHEAD_MAX, secretsIn } from '../shared/source-fields.ts'
import { SERVER_KINDS } from '../shared/source-vocabulary.ts'
import { type Call, flag, option, UsageError } from './command.ts'
import { intervalValue, nameValue, slotsMaxValue } from './values.ts'

/** The options of `source add` and `source edit`. */
export const SOURCE_SETTINGS = {
  name: option(nameValue.optional(), '<text>', 'display name of the publisher'),
  options: option(
    z.string().optional(),
    '<json>',
    'options: headers, query, daysAhead, server, serveTestData, rejectedPercentMax, authorization; or @ and the name of a file with them',
  ),
  daysAhead: option(
    z.string().optional(),
    '<days>',
    `with fhir-search: number of days to search, 1 to ${DAYS_AHEAD_MAX} (default: ${DAYS_AHEAD})`,
  ),
  server: option(
    z.string().optional(),
    '<kind>',
    `with fhir-search: the server's profile, ${SERVER_KINDS.join(', ')} (default: from its metadata)`,
  ),
  every: option(
    intervalValue.optional(),
    '<minutes>',
    'sync interval, from 1 (default: as published, else SYNC_EVERY_MINUTES)',
  ),
  slotsMax: option(
    slotsMaxValue.optional(),
    '<count>',
    'maximum number of slots; a sync beyond it fails (default: a quarter of SLOTS_MAX)',
  ),
  strict: flag('reject what the specification forbids instead of reading it leniently'),
}

/** `--options` with `--days-ahead` and `--server` applied; undefined if none is given. Throws `UsageError`. */
export function optionsOf({
  options,
  daysAhead: days,
  server,
}: {
  options?: string | undefined
  daysAhead?: string | undefined
  server?: string | undefined
}): unknown {
  const json =
    options === undefined ? undefined : parseJson(options.startsWith('@') ? readOptionsFile(options.slice(1)) : options)
  if (days === undefined && server === undefined) return json
  // Anything but an object is rejected by the source's schema.
  if (json !== undefined && !isObject(json)) return json
  const daysAhead = days !== undefined && /^\d{1,3}$/.test(days) ? Number(days) : days
  return { ...json, ...defined({ daysAhead, server }) }
}

/** Parses options. Throws `UsageError` with what is wrong with them. */
export function parsingOptions<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidSourceOptions) throw new UsageError(`Invalid --options: ${error.message}`)
    throw error
  }
}

/** Warns about what may prevent a sync. The service may run in another environment than this command. */
export function warnAboutSource(call: Call, { url, options }: { url: string; options: SourceOptions }): void {
  if (URL.canParse(url)) warnAboutPrivateHost(call, new URL(url))
  for (const name of secretsIn(options)) {
    if (Object.hasOwn(call.config.sourceSecrets, name)) continue
    call.note(`Warning: ${name} is not set here. Set it where the service runs.`)
  }
}

function readOptionsFile(path: string): string {
  const text = readText(path)
  if (text.length <= OPTIONS_LENGTH_MAX) return text
  throw new UsageError(`Invalid --options: the file ${path} is longer than ${OPTIONS_LENGTH_MAX} characters`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`Invalid --options: the file ${path} cannot be read (${errorMessage(error)})`)
  }
}

/** Enough for twenty headers and parameters of the maximum length. */
const OPTIONS_LENGTH_MAX = 100_000

/** The error does not repeat the value: it may contain a secret. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      'Invalid --options: must be JSON, like {"headers":{"x-client":"us"}}, or @ and the name of a file',
    )
  }
}

function warnAboutPrivateHost(call: Call, url: URL): void {
  if (!call.config.allowPrivateSources && isPrivateHost(url)) {
    call.note(`Warning: ${url.hostname} is a private address. Set ALLOW_PRIVATE_SOURCES=true where the service runs.`)
  }
}

/** False for a URL without a host. */
function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === '') return false
  return isIP(host) === 0 ? isPrivateName(host) : !isPublicAddress(host)
}
