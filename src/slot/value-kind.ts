// Hot path
import { parseRfc3339 } from './instant.ts'

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a parameter's value may be: one check of it and one schema, made of the same figures. */
export interface ValueKind<Value> {
  readonly schema: JsonSchema
  /** What a value must be, as a message says it. */
  readonly allowed: string
  /** The value that a text stands for; undefined if it stands for none. */
  readonly parse: (text: string) => Value | undefined
  /** What may have gone wrong, to stand behind `allowed`. */
  readonly hint?: (text: string) => string
}

/** No code, city or slug is longer; what is longer cannot match and is not worth remembering. */
const TEXT_LENGTH_MAX = 200

/** An integer within bounds that are themselves allowed. */
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

/** A number above 0, up to a bound that is itself allowed: with all digits that a program writes, and small ones in its way (`1e-7`). */
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

/** One of some words. */
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

/** Any text that is neither empty nor long. */
export const TEXT: ValueKind<string> = {
  schema: { type: 'string', minLength: 1, maxLength: TEXT_LENGTH_MAX },
  allowed: `a text of 1 to ${TEXT_LENGTH_MAX} characters`,
  parse: (text) => (text.length > 0 && characters(text) <= TEXT_LENGTH_MAX ? text : undefined),
}

/** A text of a form, which a regular expression for the whole of it describes. */
export function form(pattern: RegExp, allowed: string): ValueKind<string> {
  return {
    schema: { type: 'string', pattern: pattern.source },
    allowed,
    parse: (text) => (pattern.test(text) ? text : undefined),
  }
}

/** An instant, as milliseconds since 1970. */
export const INSTANT: ValueKind<number> = {
  schema: { type: 'string', format: 'date-time' },
  allowed: 'an RFC 3339 instant with offset, such as 2026-01-31T09:00:00Z',
  parse: parseRfc3339,
  hint: (text) => (text.includes(' ') ? ' (in a URL, + is written %2B)' : ''),
}

/** A point on the globe, in decimal degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** More digits than a double needs: programs write them all. */
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

/** As JSON Schema counts: a character beyond the first 65,536 is one. */
function characters(text: string): number {
  if (text.length <= TEXT_LENGTH_MAX || text.length > 2 * TEXT_LENGTH_MAX) return text.length
  return [...text].length
}
