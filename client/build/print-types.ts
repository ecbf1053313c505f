/** JSON Schema, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly oneOf?: readonly JsonSchema[]
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}

/** A property of a printed object type. */
interface Member {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly comment: readonly string[]
}

const PRIMITIVES = new Map([
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['number', 'number'],
  ['integer', 'number'],
])

/** The keywords that give a type or a comment, and those that TypeScript cannot express. */
const KEYWORDS = new Set(
  (
    '$ref type description format enum const properties additionalProperties required items oneOf ' +
    'default pattern minimum maximum exclusiveMinimum minLength maxLength minItems maxItems uniqueItems'
  ).split(' '),
)

/** Prints the interface `components` with the type of each schema. Throws for a keyword it does not know. */
export function printSchemas(schemas: Readonly<Record<string, JsonSchema>>): string {
  const type = printType({ type: 'object', properties: schemas, required: Object.keys(schemas) })
  return `export interface components ${printMembers([required('schemas', type)])}\n`
}

/** Prints the interface `operations` with the parameters of each operation. */
export function printOperations(operations: Readonly<Record<string, readonly Parameter[]>>): string {
  const members = Object.entries(operations).map(([id, parameters]) => {
    const places = (['query', 'path'] as const).map((place) => parametersIn(place, parameters))
    return required(id, printMembers([required('parameters', printMembers(places))]))
  })
  return `export interface operations ${printMembers(members)}\n`
}

function parametersIn(place: 'path' | 'query', all: readonly Parameter[]): Member {
  const parameters = all.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return { name: place, type: 'never', isRequired: false, comment: [] }
  const members = parameters.map(({ name, schema, required: isRequired = false, description, example }) => ({
    name,
    type: printType(schema),
    isRequired,
    comment: [...tag('@description', description), ...tag('@example', example)],
  }))
  return { ...required(place, printMembers(members)), isRequired: members.some(({ isRequired }) => isRequired) }
}

function printType(schema: JsonSchema): string {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword))
  if (unknown !== undefined) throw new Error(`Cannot print a type: the schema has the unknown keyword "${unknown}"`)
  if (schema.$ref !== undefined) return printReference(schema.$ref)
  if (schema.oneOf !== undefined) return schema.oneOf.map(printType).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return printArray(printType(schema.items ?? {}))
  if (schema.type === 'object') return printObject(schema)
  if (schema.type === undefined) return 'unknown'
  const primitive = PRIMITIVES.get(schema.type)
  if (primitive === undefined) throw new Error(`Cannot print a type: unknown schema type "${schema.type}"`)
  return primitive
}

function printReference(reference: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1]
  if (name === undefined) throw new Error(`Cannot print a type: unknown reference "${reference}"`)
  return `components["schemas"]["${name}"]`
}

function printArray(item: string): string {
  return / \| /.test(item) ? `(${item})[]` : `${item}[]`
}

function printObject({ properties, additionalProperties, required: names = [] }: JsonSchema): string {
  if (properties === undefined && additionalProperties !== undefined)
    return `Record<string, ${printType(additionalProperties)}>`
  const members = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    type: printType(schema),
    isRequired: names.includes(name),
    comment: commentOf(schema),
  }))
  return printMembers(members)
}

function commentOf({ format, description, enum: values, const: constant }: JsonSchema): string[] {
  return [
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...tag('@description', description),
    ...(values === undefined ? [] : ['@enum {string}']),
    ...(constant === undefined ? [] : ['@constant']),
  ]
}

function tag(name: string, value: unknown): string[] {
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const [first, ...rest] = `${name} ${text}`.trimEnd().split('\n')
  return [first, ...rest.map((line) => `    ${line}`)]
}

function required(name: string, type: string): Member {
  return { name, type, isRequired: true, comment: [] }
}

function printMembers(members: readonly Member[]): string {
  const lines = members.flatMap(({ name, type, isRequired, comment }) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return [...printComment(comment), ...`${key}${isRequired ? '' : '?'}: ${type};`.split('\n')]
  })
  return `{\n${lines.map((line) => `    ${line}`).join('\n')}\n}`
}

function printComment(lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  if (lines.length === 1) return [`/** ${lines[0]} */`]
  return ['/**', ...lines.map((line) => ` * ${line}`), ' */']
}
