// Hot path
import type { JsonSchema, ValueKind } from './value-kind.ts'

/** One parameter of an operation: what a caller is told about it, and how its value becomes part of a query's draft. */
export interface QueryParameter<Draft> {
  readonly description: string
  /** Of the whole parameter: an array where it may be repeated. */
  readonly schema: JsonSchema
  readonly examples: readonly string[]
  /** May come more than once; `read()` is then called for each value. */
  readonly repeatable?: true
  /** Takes in a value. Throws `InvalidParameter` under the name that is given. */
  readonly read: (draft: Draft, value: string, name: string) => void
}

/** The parameters of an operation, by name. */
export type ParameterTable<Draft> = Readonly<Record<string, QueryParameter<Draft>>>

/** A parameter that is unknown, repeated, or has a wrong value. The message says what is allowed, and what came. */
export class InvalidParameter extends Error {
  override readonly name = 'InvalidParameter'
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.parameter = parameter
  }
}

/** How many values parameters that may be repeated can have, all together. */
export const REPEATED_MAX = 60

/** A parameter that comes once, of a kind of value. */
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
    read: (draft, text, name) => put(draft, parseValue(kind, text, name)),
  }
}

/** A parameter that may be repeated: any of its values. */
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

/**
 * Reads a URL's search part, which is what stands after the `?`, percent-encoded, into a draft.
 * Throws `InvalidParameter` at the first that is wrong.
 */
export function parseParameters<Draft>(search: string, table: ParameterTable<Draft>, draft: Draft): Draft {
  const seen: string[] = []
  for (let from = 0; from < search.length; ) {
    const next = search.indexOf('&', from)
    const to = next === -1 ? search.length : next
    if (to > from) readPair(search.slice(from, to), table, draft, seen)
    from = to + 1
  }
  return draft
}

/** What came is told back, but not at any length. */
export function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function readPair<Draft>(pair: string, table: ParameterTable<Draft>, draft: Draft, seen: string[]): void {
  const equals = pair.indexOf('=')
  const name = decode(equals === -1 ? pair : pair.slice(0, equals))
  const value = decode(equals === -1 ? '' : pair.slice(equals + 1), name)
  if (!Object.hasOwn(table, name)) {
    const known = Object.keys(table).join(', ') || 'none'
    throw new InvalidParameter(clip(name), `Parameter is not known: got "${clip(name)}"; known are ${known}.`)
  }
  const known = table[name]
  if (known.repeatable === undefined && seen.includes(name))
    throw new InvalidParameter(name, `${name} must be given once: got it again with "${clip(value)}".`)
  // Those that come once are as many as the table has.
  if (seen.push(name) > REPEATED_MAX && known.repeatable && countRepeated(table, seen) > REPEATED_MAX)
    throw new InvalidParameter(
      name,
      `Repeated parameters must have at most ${REPEATED_MAX} values together: got "${clip(value)}" beyond them.`,
    )
  known.read(draft, value, name)
}

function countRepeated<Draft>(table: ParameterTable<Draft>, seen: readonly string[]): number {
  return seen.reduce((count, name) => (table[name].repeatable ? count + 1 : count), 0)
}

/** As in a form: `+` is a space. `name`: whose value it is; without one it is a name itself. */
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
