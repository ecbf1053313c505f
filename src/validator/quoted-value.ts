import { excerpt, type Json } from '../lib/json.ts'

/** What was found at a path, as a finding says it. */
export function got(path: string, value: unknown): string {
  return `${path}: got "${excerpt(value)}"`
}

/** The first value of an extension, by the name of its key: `valueUrl`. Undefined if it has none. */
export function valueKeyOf(extension: Json): string | undefined {
  return Object.keys(extension).find((key) => /^value[A-Z]/.test(key))
}

/** A text as it is, and nothing instead of any other value: an object from outside may not even have a text. */
export function textOrNothing(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
