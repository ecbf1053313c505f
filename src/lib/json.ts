import { shortened } from './text.ts'

/** A parsed JSON object of unknown content: read by name, never spread or copied, so a key `__proto__` stays a key. */
export type Json = Readonly<Record<string, unknown>>

/** A resource or a part of one is not what it must be. The message completes "Cannot read a Slot: …". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Longer texts are left out: no name or address is, and each would be sent to every caller. */
const TEXT_LENGTH_MAX = 2000

/** The value if it is an object: neither null nor an array. */
export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

/** The objects of an array; a single object counts as an array of one, as some publishers write it. */
export function objectsOf(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.filter((one) => objectOf(one) !== undefined)
  const only = objectOf(value)
  return only === undefined ? [] : [only]
}

/** A text of 1 to 2,000 characters, trimmed, with control characters as spaces; a number counts as its digits. Else undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.isWellFormed() ? value : value.toWellFormed()
  const plain = CONTROL.test(text) ? text.replace(CONTROLS, ' ').trim() : text.trim()
  return plain.length > 0 && plain.length <= TEXT_LENGTH_MAX ? plain : undefined
}

/** The texts of an array or a single one, without repetitions; at most 20. */
export function textsOf(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  return [...new Set(values.map(textOf).filter((text) => text !== undefined))].slice(0, 20)
}

/** What a reason shows of a value: at most 80 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, shallow) ?? 'nothing')
  return shortened(text, 80)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x1f\x7f]+/g

/** JSON.stringify goes as deep as its argument, and a publisher may nest a million brackets. */
function shallow(this: unknown, key: string, value: unknown): unknown {
  return key !== '' && typeof value === 'object' && value !== null ? '…' : value
}
