import type { JsonSchema } from '../../slot/query-parameter.ts'
import { clip, type ParameterTable } from '../../slot/query-parameter.ts'
import { Unanswered } from './query-service.ts'
import type { ObjectSchema, ToolArguments } from './tool.ts'

/** The service refuses a longer target, and no question needs one. */
const SEARCH_LENGTH_MAX = 7000

/** What a tool takes: these parameters of an operation, as its table says them; `changes` for those that differ for the tool. */
export function inputOf(
  // biome-ignore lint/suspicious/noExplicitAny: tables of any draft describe their parameters alike
  table: ParameterTable<any>,
  names: readonly string[],
  changes: Readonly<Record<string, JsonSchema>> = {},
): ObjectSchema {
  const properties = names.map((name) => [name, { ...schemaOf(table[name]), ...changes[name] }] as const)
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

/**
 * The search part of a URL that asks for what a tool was given. Values are checked by the operation itself, whose messages say what is
 * allowed; here only that they can be written down. Throws `Unanswered`.
 */
export function searchOf(args: ToolArguments, { properties }: ObjectSchema): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (!Object.hasOwn(properties, name)) throw unknown(name, Object.keys(properties))
    // What is not said is sent as null by some assistants.
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') search.append(name, textOf(name, each))
    }
  }
  const { length } = search.toString()
  if (length <= SEARCH_LENGTH_MAX) return search
  throw new Unanswered(
    `Arguments must take at most ${SEARCH_LENGTH_MAX} characters as a query: got ${length}.`,
  )
}

function schemaOf({ description, schema, examples }: ParameterTable<never>[string]): JsonSchema {
  const { type } = schema
  const typed = examples.filter((example) => example !== '').map((example) => exampleOf(type, example))
  return {
    ...schema,
    description: description.replaceAll('`', ''),
    ...(typed.length > 0 && { examples: typed }),
  }
}

function exampleOf(type: unknown, example: string): unknown {
  if (type === 'array') return [example]
  if (type === 'boolean') return example === 'true'
  return type === 'integer' || type === 'number' ? Number(example) : example
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw new Unanswered(
    `${clip(name)} must be a text, a number or a truth value: got ${clip(JSON.stringify(value))}.`,
  )
}

function unknown(name: string, known: readonly string[]): Unanswered {
  return new Unanswered(`Arguments must be among ${known.join(', ') || 'none'}: got "${clip(name)}".`)
}
