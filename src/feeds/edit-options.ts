import { isObject, type Json } from '../lib/json.ts'
import type { SourceFormat } from '../shared/source-vocabulary.ts'
import { OPTION_NAMES, parseSourceOptions, type SourceOptions } from './source-options.ts'

/**
 * Options as people who may edit them see them: names and references. Literal values of headers, parameters and secrets
 * may be private, although their names do not say so: `…` replaces them, which no valid value contains.
 */
export function maskedOptions(options: SourceOptions): SourceOptions {
  const { headers, query, authorization } = options
  return {
    ...options,
    ...(headers && { headers: maskedValues(headers) }),
    ...(query && { query: maskedValues(query) }),
    ...(authorization && { authorization: maskedSecret(authorization) }),
  }
}

/**
 * The options after an edit, a JSON Merge Patch (RFC 7396): members that it does not name stay, null removes one. A value that
 * comes back as `maskedOptions()` showed it stays as it is. Throws `InvalidSourceOptions`.
 */
export function editOptions(format: SourceFormat, before: SourceOptions, patch: unknown): SourceOptions {
  if (patch === null) return {}
  if (!isObject(patch)) return parseSourceOptions(format, patch)
  const [current, masked]: [Json, Json] = [{ ...before }, { ...maskedOptions(before) }]
  const edited = Object.entries(patch).map(([name, member]) => [
    name,
    isObject(member) ? mergedMember(memberOf(current, name), memberOf(masked, name), member) : member,
  ])
  const all = Object.entries({ ...current, ...Object.fromEntries(edited) })
  return parseSourceOptions(format, Object.fromEntries(all.filter(([name, member]) => !isRemoved(name, member))))
}

const MASK = '…'
const REFERENCE = /(\$\{SOURCE_[A-Z0-9_]{1,100}\})/

function maskedValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, maskedText(text)]))
}

/** URLs, client ids and scopes appear in the log of the server with every request: they are no secrets (RFC 6749, 2.2). */
function maskedSecret(authorization: NonNullable<SourceOptions['authorization']>) {
  return authorization.kind === 'client-credentials'
    ? { ...authorization, clientSecret: maskedText(authorization.clientSecret) }
    : { ...authorization, privateKey: maskedText(authorization.privateKey) }
}

/** Split by a capturing group, every other part is a reference. */
function maskedText(text: string): string {
  return text
    .split(REFERENCE)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : MASK))
    .join('')
}

function mergedMember(before: Json, masked: Json, patch: Json): Json {
  const edited = Object.entries(patch).map(([name, value]) => [
    name,
    Object.hasOwn(masked, name) && value === masked[name] ? before[name] : value,
  ])
  const all = Object.entries({ ...before, ...Object.fromEntries(edited) })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

function memberOf(options: Json, name: string): Json {
  const member = Object.hasOwn(options, name) ? options[name] : {}
  return isObject(member) ? member : {}
}

/** Unknown members stay, for the parser to reject. */
function isRemoved(name: string, member: unknown): boolean {
  if (member === null) return OPTION_NAMES.some((known) => known === name)
  return (name === 'headers' || name === 'query') && isObject(member) && Object.keys(member).length === 0
}
