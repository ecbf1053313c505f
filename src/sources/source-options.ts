import type { SourceAuthorization, SourceFormat, SourceOptions } from './connector.ts'

/** What somebody wrote cannot be the options of a source. The message is a sentence for that person, without a secret. */
export class OptionsFault extends Error {
  override readonly name = 'OptionsFault'
  /** The member that is wrong: `headers`, `authorization.tokenUrl`. */
  readonly field: string

  constructor(field: string, must: string) {
    super(`${field} ${must}`)
    this.field = field
  }
}

/** How many days ahead a search asks for where nobody says. */
export const DAYS_AHEAD = 30
export const DAYS_AHEAD_MAX = 366

const LISTED_MAX = 20
const NAME_LENGTH_MAX = 100
const VALUE_LENGTH_MAX = 2000

/** Takes what came as JSON for the options of a source of this format. Throws `OptionsFault` for the first thing that is wrong. */
export function parseSourceOptions(format: SourceFormat, value: unknown): SourceOptions {
  const { headers, query, daysAhead, authorization, ...others } = asObject('options', value)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new OptionsFault(
      'options',
      `must be headers, query, daysAhead or authorization: got ${shown(unknown)}`,
    )
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
  const pairs = Object.entries(asObject(field, value))
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

function parseAuthorization(value: unknown): SourceAuthorization {
  const said = asObject('authorization', value)
  const secret = AUTHORIZATION_SECRETS.get(String(said.kind))
  if (secret === undefined)
    throw new OptionsFault(
      'authorization.kind',
      `must be ${[...AUTHORIZATION_SECRETS.keys()].join(' or ')}: got ${shown(said.kind)}`,
    )
  const known = ['kind', 'tokenUrl', 'clientId', 'scope', secret]
  const unknown = Object.keys(said).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new OptionsFault('authorization', `must be ${known.join(', ')}: got ${shown(unknown)}`)
  const tokenUrl = parseTokenUrl(said.tokenUrl)
  const clientId = parseText('authorization.clientId', said.clientId)
  const scope = said.scope === undefined ? {} : { scope: parseText('authorization.scope', said.scope) }
  const hidden = parseText(`authorization.${secret}`, said[secret])
  requireReference(`authorization.${secret}`, 'it as', hidden)
  return said.kind === 'client-credentials'
    ? { kind: 'client-credentials', tokenUrl, clientId, clientSecret: hidden, ...scope }
    : { kind: 'backend-services', tokenUrl, clientId, privateKey: hidden, ...scope }
}

/** Which member of each kind is secret. */
const AUTHORIZATION_SECRETS: ReadonlyMap<string, 'clientSecret' | 'privateKey'> = new Map([
  ['client-credentials', 'clientSecret'],
  ['backend-services', 'privateKey'],
] as const)

function parseTokenUrl(value: unknown): string {
  const text = parseText('authorization.tokenUrl', value)
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '')
    return url.href
  throw new OptionsFault(
    'authorization.tokenUrl',
    'must be an http or https URL without a user, password or fragment',
  )
}

function parseText(field: string, value: unknown): string {
  if (
    typeof value !== 'string' ||
    value === '' ||
    value.length > VALUE_LENGTH_MAX ||
    !/^[\x20-\x7e]+$/.test(value)
  )
    throw new OptionsFault(field, `must be one line of ASCII, 1 to ${VALUE_LENGTH_MAX} characters`)
  refuseOtherReferences(field, value)
  return value
}

/** A reference to anything else would stay as it stands, and be sent so. */
function refuseOtherReferences(field: string, value: string): void {
  const other = /\$\{(?!SOURCE_[A-Z0-9_]{1,100}\})[^}]{0,100}\}?/.exec(value)?.[0]
  if (other !== undefined)
    throw new OptionsFault(
      field,
      `must refer to variables that begin with SOURCE_, in capitals: got ${shown(other)}`,
    )
}

/** The value itself is not repeated: it may be the secret. */
function requireReference(field: string, what: string, value: string): void {
  if (/\$\{SOURCE_/.test(value)) return
  throw new OptionsFault(
    field,
    `must give ${what} a reference to the environment, like \${SOURCE_CLINIC_KEY}: secrets are never stored`,
  )
}

function asObject(field: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new OptionsFault(field, `must be an object: got ${shown(value)}`)
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return JSON.stringify(text.slice(0, 80))
}
