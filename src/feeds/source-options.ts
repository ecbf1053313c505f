import type { SourceFormat, SourceOptions } from './connector.ts'
import {
  OptionsFault,
  parseObject,
  refuseOtherReferences,
  requireReference,
  shown,
  VALUE_LENGTH_MAX,
} from './option-texts.ts'
import { parseAuthorization } from './source-authorization.ts'

/** How many days ahead a search asks for where nobody says. */
export const DAYS_AHEAD = 30
export const DAYS_AHEAD_MAX = 366

/** Every option there is. `docs/sources.md` has a row for each: a test holds it. */
export const OPTION_NAMES = ['headers', 'query', 'daysAhead', 'authorization'] as const

const LISTED_MAX = 20
const NAME_LENGTH_MAX = 100

/** Takes what came as JSON for the options of a source of this format. Throws `OptionsFault` for the first thing that is wrong. */
export function parseSourceOptions(format: SourceFormat, value: unknown): SourceOptions {
  const { headers, query, daysAhead, authorization, ...others } = parseObject('options', value)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new OptionsFault('options', `must be of ${OPTION_NAMES.join(', ')}: got ${shown(unknown)}`)
  }
  const options = {
    ...(headers !== undefined && { headers: parseHeaders(headers) }),
    ...(query !== undefined && { query: parseQuery(query) }),
    ...(daysAhead !== undefined && { daysAhead: parseDaysAhead(daysAhead) }),
    ...(authorization !== undefined && { authorization: parseAuthorization(authorization) }),
  }
  refuseForeign(format, options)
  return options
}

/** The variables of the environment that the options refer to, each once. */
export function secretsIn(options: SourceOptions): readonly string[] {
  const names = [...JSON.stringify(options).matchAll(/\$\{(SOURCE_[A-Z0-9_]{1,100})\}/g)].map(
    ([, name]) => name,
  )
  return [...new Set(names)]
}

function refuseForeign(format: SourceFormat, options: SourceOptions): void {
  const [given] = Object.keys(options)
  if (format === 'files' && given !== undefined)
    throw new OptionsFault(given, 'must be absent: files are brought, not asked for')
  if (format !== 'fhir-search') {
    for (const field of ['daysAhead', 'authorization'] as const) {
      if (options[field] !== undefined)
        throw new OptionsFault(field, `must go with the format fhir-search: got "${format}"`)
    }
  }
  const names = Object.keys(options.headers ?? {}).map((name) => name.toLowerCase())
  if (options.authorization !== undefined && names.includes('authorization')) {
    throw new OptionsFault(
      'headers',
      'must not hold Authorization where authorization says how a token is had',
    )
  }
}

function parseHeaders(value: unknown): Record<string, string> {
  const headers = parsePairs('headers', value, /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'the name of a header')
  const seen = new Set<string>()
  for (const name of Object.keys(headers)) {
    const plain = name.toLowerCase()
    if (OUR_HEADERS.has(plain)) throw new OptionsFault('headers', `must not hold ${name}: it is ours to send`)
    if (seen.has(plain)) throw new OptionsFault('headers', `must hold ${name} once`)
    seen.add(plain)
  }
  return headers
}

/** What belongs to the connection, and what we ask by. */
const OUR_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function parseQuery(value: unknown): Record<string, string> {
  return parsePairs('query', value, /^[\x21-\x7e]+$/, 'the name of a parameter')
}

function parsePairs(field: string, value: unknown, form: RegExp, what: string): Record<string, string> {
  const pairs = Object.entries(parseObject(field, value))
  if (pairs.length > LISTED_MAX)
    throw new OptionsFault(field, `must be at most ${LISTED_MAX}: got "${pairs.length}"`)
  return Object.fromEntries(
    pairs.map(([name, text]) => {
      if (name.length > NAME_LENGTH_MAX || !form.test(name) || name === '__proto__')
        throw new OptionsFault(field, `must each have ${what}: got ${shown(name)}`)
      return [name, parseValue(field, name, text)]
    }),
  )
}

function parseValue(field: string, name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > VALUE_LENGTH_MAX || !/^[\x20-\x7e]*$/.test(value)) {
    throw new OptionsFault(
      field,
      `must give ${name} as one line of ASCII, at most ${VALUE_LENGTH_MAX} characters`,
    )
  }
  refuseOtherReferences(field, value)
  if (SECRET_NAME.test(name)) requireReference(field, `${name} as`, value)
  return value
}

/** Names under which secrets travel. */
const SECRET_NAME = /auth|cookie|key|token|secret|passw|signature|credential/i

function parseDaysAhead(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= DAYS_AHEAD_MAX)
    return value
  throw new OptionsFault(
    'daysAhead',
    `must be a whole number from 1 to ${DAYS_AHEAD_MAX}: got ${shown(value)}`,
  )
}
