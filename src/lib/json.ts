import { singleLine, truncate } from './text.ts'

/** A parsed JSON object of unknown content: read by name, never spread or copied, so a key `__proto__` stays a key. */
export type Json = Readonly<Record<string, unknown>>

/** Longer texts count as absent: no name or address is longer, and each would be sent to every caller. */
const TEXT_LENGTH_MAX = 2000
const TEXTS_MAX = 20

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object (neither null nor an array). */
export function asObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined
}

/** The objects of an array; a single object counts as an array of one, as some publishers write it. */
export function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.filter(isObject)
  return isObject(value) ? [value] : []
}

/** Text of 1 to 2,000 characters, trimmed, control characters as spaces; an exact number counts as its digits. Else undefined. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return isInexact(value) ? undefined : String(value)
  if (typeof value !== 'string') return undefined
  const text = singleLine(value).trim()
  return text.length > 0 && text.length <= TEXT_LENGTH_MAX ? text : undefined
}

/** A number beyond 2^53, of which JSON.parse may have changed the last digits. */
export function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
}

/** How the publisher keeps the digits of such a number. */
export const IN_QUOTES = 'text in quotes, because a number beyond 2^53 loses digits'

/** The distinct texts of an array or a single value, at most 20. */
export function textsIn(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  return [...new Set(values.map(asText).filter((text) => text !== undefined))].slice(0, TEXTS_MAX)
}

/** The values without repetitions: those with equal JSON are one. */
export function distinctByJson<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** How error messages end that say what a value must be: `got "…"` with an excerpt of it, or that there is none. */
export function got(value: unknown): string {
  return value === undefined ? 'not provided' : `got "${excerpt(value)}"`
}

/** A value as error messages quote it: at most 80 characters, nested objects as "…". */
export function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, topLevelOnly) ?? '')
  return truncate(text, 80)
}

/** JSON.stringify recurses as deep as its argument, and a publisher may nest a million brackets. */
function topLevelOnly(this: unknown, key: string, value: unknown): unknown {
  return key !== '' && typeof value === 'object' && value !== null ? '…' : value
}
