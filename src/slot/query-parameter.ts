// Hot path
import { parseRfc3339 } from './instant.ts'

/** A query parameter: its documentation, and how its value is parsed into a draft of the query. */
export interface QueryParameter<Draft> {
  readonly description: string
  /** An array if the parameter may be repeated. */
  readonly schema: JsonSchema
  readonly examples: readonly string[]
  /** May be repeated; `read()` is called for each value. */
  readonly repeatable?: true
  readonly accepts: (value: string) => boolean
  /** Parses a value into the draft. Throws `InvalidParameter` with the given name. */
  readonly read: (draft: Draft, value: string, name: string) => void
}

/** The parameters of an operation, by name. */
export type ParameterTable<Draft> = Readonly<Record<string, QueryParameter<Draft>>>

/** A parameter that is unknown, repeated, or has an invalid value. */
export class InvalidParameter extends Error {
  override readonly name = 'InvalidParameter'
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.parameter = parameter
  }
}

/** The limit of values of all repeatable parameters of a request together. */
export const REPEATED_MAX = 60

/** A parameter that may occur once. */
export function parameter<Draft, Value>(options: {
  readonly description: string
  readonly kind: ValueKind<Value>
  readonly examples: readonly string[]
  readonly fallback?: NoInfer<Value>
  readonly put: (draft: Draft, value: Value) => void
}): QueryParameter<Draft> {
  const { description, kind, examples, fallback, put } = options
  return {
    description,
    schema: fallback === undefined ? kind.schema : { ...kind.schema, default: fallback },
    examples,
    accepts: (text) => kind.parse(text) !== undefined,
    read: (draft, text, name) => put(draft, parseValue(kind, text, name)),
  }
}

/** A parameter that may be repeated: any of its values matches. */
export function repeated<Draft, Value>(options: {
  readonly description: string
  readonly kind: ValueKind<Value>
  readonly examples: readonly string[]
  readonly put: (draft: Draft, value: Value) => void
}): QueryParameter<Draft> {
  const one = parameter(options)
  const schema = { type: 'array', items: one.schema, minItems: 1, maxItems: REPEATED_MAX }
  return { ...one, schema, repeatable: true }
}

/** Parses a query string (without `?`, percent-encoded) into a draft. Throws `InvalidParameter` for the first invalid parameter. */
export function parseParameters<Draft>(search: string, table: ParameterTable<Draft>, draft: Draft): Draft {
  const parameters = mapOf(table)
  const seen: string[] = []
  const isEncoded = search.includes('%') || search.includes('+')
  for (let from = 0; from < search.length; ) {
    const next = search.indexOf('&', from)
    const to = next === -1 ? search.length : next
    if (to > from) {
      const equals = search.indexOf('=', from)
      const end = equals === -1 || equals > to ? to : equals
      const pair = { name: search.slice(from, end), value: search.slice(end + 1, to) }
      readPair(isEncoded ? decodePair(pair) : pair, parameters, draft, seen)
    }
    from = to + 1
  }
  return draft
}

/** Limits a value that an error message quotes. */
export function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** A table for look-ups: an object would first look for the text of a request among all texts. */
type ParameterMap<Draft> = ReadonlyMap<string, QueryParameter<Draft>>

const maps = new WeakMap<object, unknown>()

function mapOf<Draft>(table: ParameterTable<Draft>): ParameterMap<Draft> {
  const known = maps.get(table) as ParameterMap<Draft> | undefined
  if (known !== undefined) return known
  const map = new Map(Object.entries(table))
  maps.set(table, map)
  return map
}

/** A parameter as the query string has it. */
interface Pair {
  readonly name: string
  readonly value: string
}

function readPair<Draft>({ name, value }: Pair, parameters: ParameterMap<Draft>, draft: Draft, seen: string[]): void {
  const known = parameters.get(name)
  if (known === undefined) throw unknownParameter(name, parameters)
  if (known.repeatable === undefined && seen.includes(name))
    throw new InvalidParameter(name, `${name} must not be repeated: got it again with "${clip(value)}".`)
  // The table limits the parameters that may occur once.
  if (seen.push(name) > REPEATED_MAX && known.repeatable && countRepeated(parameters, seen) > REPEATED_MAX)
    throw new InvalidParameter(
      name,
      `Repeated parameters must have at most ${REPEATED_MAX} values together: got "${clip(value)}" beyond them.`,
    )
  known.read(draft, value, name)
}

function unknownParameter(name: string, parameters: ParameterMap<never>): InvalidParameter {
  const names = [...parameters.keys()].join(', ')
  const known = names === '' ? 'This operation has no parameters' : `Known parameters: ${names}`
  return new InvalidParameter(clip(name), `Unknown parameter "${clip(name)}". ${known}.`)
}

function countRepeated<Draft>(parameters: ParameterMap<Draft>, seen: readonly string[]): number {
  return seen.reduce((count, name) => (parameters.get(name)?.repeatable ? count + 1 : count), 0)
}

function decodePair({ name: encoded, value }: Pair): Pair {
  const name = decode(encoded)
  return { name, value: decode(value, name) }
}

/** Decodes like a form: `+` is a space. `name`: the parameter of a value; absent for a name itself. */
function decode(text: string, name = text): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    const what = name === text ? 'A name' : clip(name)
    throw new InvalidParameter(clip(name), `${what} must be percent-encoded UTF-8: got "${clip(text)}".`)
  }
}

function parseValue<Value>(kind: ValueKind<Value>, text: string, name: string): Value {
  const value = kind.parse(text)
  if (value !== undefined) return value
  const hint = kind.hint?.(text) ?? ''
  throw new InvalidParameter(name, `${name} must be ${kind.allowed}${hint}: got "${clip(text)}".`)
}

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A type of values: its parser and its JSON Schema, with the same bounds. */
export interface ValueKind<Value> {
  readonly schema: JsonSchema
  /** Completes the message `… must be`. */
  readonly allowed: string
  /** Undefined for an invalid text. */
  readonly parse: (text: string) => Value | undefined
  /** A likely cause, appended to `allowed`. */
  readonly hint?: (text: string) => string
}

/** No code, city or slug is longer, and a longer value should not occupy a cache. */
export const FILTER_TEXT_LENGTH_MAX = 200

/** An integer within inclusive bounds. */
export function integer({ min, max }: { min: number; max: number }): ValueKind<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    allowed: `an integer from ${min} to ${max}`,
    parse(text) {
      const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A number above 0, up to an inclusive bound. Accepts what programs print, such as `1e-7`. */
export function positive({ max }: { max: number }): ValueKind<number> {
  return {
    schema: { type: 'number', exclusiveMinimum: 0, maximum: max },
    allowed: `a number above 0, up to ${max}`,
    parse(text) {
      const number = /^\d{1,16}(?:\.\d{1,30})?(?:e-\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
      return number > 0 && number <= max ? number : undefined
    },
  }
}

/** One of several words. */
export function oneOf<Word extends string>(words: readonly Word[]): ValueKind<Word> {
  return {
    schema: { type: 'string', enum: words },
    allowed: `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
  }
}

/** `true` or `false`. */
export const BOOLEAN: ValueKind<boolean> = {
  schema: { type: 'boolean' },
  allowed: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

/** A text of limited length that is not empty, without spaces around it: no value that is served has any. */
export const TEXT: ValueKind<string> = {
  schema: { type: 'string', minLength: 1, maxLength: FILTER_TEXT_LENGTH_MAX },
  allowed: `a text of 1 to ${FILTER_TEXT_LENGTH_MAX} characters`,
  parse: (text) => (text.length > 0 && codePoints(text) <= FILTER_TEXT_LENGTH_MAX ? trimmed(text) : undefined),
}

/** Without spaces around it; a text of spaces stays as it is, because no text would match everything as a prefix. */
export function trimmed(text: string): string {
  return text.trim() || text
}

/** A text that matches a regular expression, which must be anchored at both ends. */
export function form(pattern: RegExp, allowed: string): ValueKind<string> {
  return {
    schema: { type: 'string', pattern: pattern.source },
    allowed,
    parse: (text) => (pattern.test(text) ? text : undefined),
  }
}

/** An instant, parsed as milliseconds since 1970. */
export const INSTANT: ValueKind<number> = {
  schema: { type: 'string', format: 'date-time' },
  allowed: 'an RFC 3339 instant with offset, such as 2026-01-31T09:00:00Z',
  parse: parseRfc3339,
  hint: (text) => (text.includes(' ') ? ' (in a URL, + is written %2B)' : ''),
}

/** Decimal degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Programs print more digits than a double needs. */
const FRACTION = '(?:\\.[0-9]{1,20})?'
const LATITUDE = `-?(?:[0-8]?[0-9]${FRACTION}|90(?:\\.0{1,15})?)`
const LONGITUDE = `-?(?:(?:1[0-7][0-9]|[0-9]{1,2})${FRACTION}|180(?:\\.0{1,15})?)`
const POINT_FORM = form(
  new RegExp(`^${LATITUDE},${LONGITUDE}$`),
  'latitude,longitude in decimal degrees, such as 42.36,-71.06',
)

/** `latitude,longitude`. */
export const POINT: ValueKind<Point> = {
  ...POINT_FORM,
  parse(text) {
    if (POINT_FORM.parse(text) === undefined) return undefined
    const [latitude, longitude] = text.split(',').map(Number)
    return { latitude, longitude }
  },
}

/** Unicode code points, as JSON Schema counts. */
function codePoints(text: string): number {
  if (text.length <= FILTER_TEXT_LENGTH_MAX || text.length > 2 * FILTER_TEXT_LENGTH_MAX) return text.length
  return [...text].length
}
