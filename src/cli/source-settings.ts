import { readFileSync } from 'node:fs'
import { assertPublicHost, PrivateAddress } from '../feeds/http/public-address.ts'
import { DAYS_AHEAD, DAYS_AHEAD_MAX, secretsIn } from '../feeds/option-limits.ts'
import { InvalidSourceOptions, type SourceOptions } from '../feeds/source-options.ts'
import { isObject } from '../lib/json.ts'
import { type Call, type CommandOption, textOption, UsageFault } from './command.ts'

/** The options by which a source is added and edited. */
export const SOURCE_SETTINGS = {
  name: { value: '<text>', means: 'what people call the publisher' },
  options: {
    value: '<json>',
    means:
      'how it wants to be asked: headers, query, daysAhead, authorization; or @ and the name of a file that says so',
  },
  'days-ahead': {
    value: '<days>',
    means: `with fhir-search: how far ahead to ask, 1 to ${DAYS_AHEAD_MAX} (default: ${DAYS_AHEAD})`,
  },
  every: {
    value: '<minutes>',
    means: 'how often to read it, from 1 (default: as its publisher says, else SYNC_EVERY_MINUTES)',
  },
  strict: { means: 'reject what the specification forbids, instead of reading it leniently' },
} as const satisfies Readonly<Record<string, CommandOption>>

/** What `--options` and `--days-ahead` say, one above the other; undefined if neither is there. Throws `UsageFault`. */
export function givenOptions(call: Call): unknown {
  const given = textOption(call, 'options')
  const days = textOption(call, 'days-ahead')
  const json =
    given === undefined
      ? undefined
      : parseJson(given.startsWith('@') ? readOptionsFile(given.slice(1)) : given)
  if (days === undefined) return json
  // What is no object is left as it is, for whoever refuses it.
  if (json !== undefined && !isObject(json)) return json
  return { ...json, daysAhead: /^\d{1,3}$/.test(days) ? Number(days) : days }
}

/** Runs what reads options. Throws `UsageFault` with what is wrong about them. */
export function parsingOptions<T>(parse: () => T): T {
  try {
    return parse()
  } catch (fault) {
    if (fault instanceof InvalidSourceOptions) throw new UsageFault(`Cannot use --options: ${fault.message}`)
    throw fault
  }
}

/** Says what may keep a source from being read. Warnings only: the service that reads it may run in another environment than this command. */
export function warnOf(call: Call, { url, options }: { url: string; options: SourceOptions }): void {
  if (URL.canParse(url)) warnOfPrivateHost(call, new URL(url))
  for (const name of secretsIn(options)) {
    if (Object.hasOwn(call.config.sourceSecrets, name)) continue
    call.tell(`Warning: ${name} is not set here: the source is only read where it is.`)
  }
}

function readOptionsFile(path: string): string {
  const text = readFileSync(path, 'utf8')
  if (text.length <= OPTIONS_LENGTH_MAX) return text
  throw new UsageFault(
    `Cannot use --options: the file must be at most ${OPTIONS_LENGTH_MAX} characters: got "${path}"`,
  )
}

/** Twenty headers and parameters of the greatest length. */
const OPTIONS_LENGTH_MAX = 100_000

/** What was given is not repeated: a secret may stand in it where none belongs. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageFault(
      'Cannot use --options: it must be JSON, like {"headers":{"x-client":"us"}}, or @ and the name of a file',
    )
  }
}

function warnOfPrivateHost(call: Call, url: URL): void {
  if (!call.config.allowPrivateSources && isPrivateHost(url)) {
    call.tell(
      `Warning: ${url.hostname} is a private address: it is only read where ALLOW_PRIVATE_SOURCES=true is set.`,
    )
  }
}

function isPrivateHost(url: URL): boolean {
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return true
  try {
    assertPublicHost(url)
    return false
  } catch (fault) {
    if (fault instanceof PrivateAddress) return true
    throw fault
  }
}
