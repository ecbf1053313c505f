import { isObject, type Json } from '../lib/json.ts'
import type { SourceFormat, SourceOptions } from './connector.ts'
import { parseObject } from './option-texts.ts'
import { OPTION_NAMES, parseSourceOptions } from './source-options.ts'

/**
 * Options as whoever may change them gets to see them: names and references. What else stands in a header, a parameter or where a
 * secret belongs may be private, though nobody called it a secret: `…` stands in its place, which no value can hold.
 */
export function shownOptions(options: SourceOptions): SourceOptions {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      name === 'headers' || name === 'query' ? shownValues(value) : shownSecrets(value),
    ]),
  )
}

/**
 * The options after an edit, which is a JSON Merge Patch (RFC 7396): what it does not name stays, what it says null of goes. A value
 * that comes back as it was shown stays what it is, so that whoever edits needs not know it. Throws `OptionsFault`.
 */
export function editOptions(format: SourceFormat, before: SourceOptions, patch: unknown): SourceOptions {
  if (patch === null) return {}
  const [was, shown]: [Json, Json] = [{ ...before }, { ...shownOptions(before) }]
  const parts = Object.entries(parseObject('options', patch)).map(([name, part]) => [
    name,
    isObject(part) ? merged(memberOf(was, name), memberOf(shown, name), part) : part,
  ])
  const all = Object.entries({ ...was, ...Object.fromEntries(parts) })
  return parseSourceOptions(format, Object.fromEntries(all.filter(([name, part]) => !isEnded(name, part))))
}

const HIDDEN = '…'
const REFERENCE = /(\$\{SOURCE_[A-Z0-9_]{1,100}\})/

function shownValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, shownText(text)]))
}

/** Addresses, ids and scopes are told to the server's own log with every request: they are no secrets (RFC 6749, 2.2). */
function shownSecrets(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [
      name,
      name === 'clientSecret' || name === 'privateKey' ? shownText(String(text)) : text,
    ]),
  )
}

/** Split by a group, every other part is a reference. */
function shownText(text: string): string {
  return text
    .split(REFERENCE)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : HIDDEN))
    .join('')
}

function merged(before: Json, shown: Json, patch: Json): Json {
  const given = Object.entries(patch).map(([name, value]) => [
    name,
    Object.hasOwn(shown, name) && value === shown[name] ? before[name] : value,
  ])
  const all = Object.entries({ ...before, ...Object.fromEntries(given) })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

function memberOf(options: Json, name: string): Json {
  const part = Object.hasOwn(options, name) ? options[name] : {}
  return isObject(part) ? part : {}
}

/** What is not known is left for whoever refuses it. */
function isEnded(name: string, part: unknown): boolean {
  if (part === null) return OPTION_NAMES.some((known) => known === name)
  return (name === 'headers' || name === 'query') && isObject(part) && Object.keys(part).length === 0
}
