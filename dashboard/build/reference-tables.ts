/** A JSON Schema as the OpenAPI document uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
}

/** A Markdown table. Cells are Markdown in one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n').concat('\n')
}

/** The properties of an object; of alternatives, each in a table. */
export function objectTable({ description, oneOf, properties = {}, required = [], ...schema }: Schema): string {
  const lead = description === undefined ? '' : `${description}\n\n`
  if (oneOf !== undefined) return lead + oneOf.map((each) => objectTable(each)).join('\nor\n\n')
  const rows = Object.entries(properties).flatMap(([name, each]) => propertyRows(name, each, required.includes(name)))
  return lead + (rows.length === 0 ? typeText(schema) : table(['Property', 'Description', 'Type'], rows))
}

/** `integer, 1 to 1000, default 25`, or a link to the object. */
export function typeText(schema: Schema): string {
  const { $ref, type, items, format, minimum, maximum, maxLength } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (items !== undefined) return `array of ${typeText(items)}`
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const range = minimum === undefined ? '' : maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
  const parts = [
    values === undefined
      ? [type ?? (schema.oneOf && 'object') ?? 'any'].flat().join(' or ')
      : values.map((one) => codeLine(String(one))).join(', '),
    format ?? '',
    range,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    schema.default === undefined ? '' : `default ${codeLine(String(schema.default))}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Code in a line of Markdown. */
export function codeLine(text: string): string {
  return `\`${text}\``
}

/** A block of code in Markdown. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\`\n`
}

/** Nested objects without a name of their own are listed with their path: `slots.free`. */
function propertyRows(name: string, schema: Schema, isRequired: boolean): string[][] {
  const description = schema.description ?? schema.items?.description ?? ''
  const row = [`${codeLine(name)}${isRequired ? ' required' : ''}`, description, typeText(schema)]
  const nested = schema.properties === undefined ? schema.items : schema
  const { properties = {}, required = [] } = nested ?? {}
  const prefix = nested === schema ? name : `${name}[]`
  return [
    row,
    ...Object.entries(properties).flatMap(([each, inner]) =>
      propertyRows(`${prefix}.${each}`, inner, required.includes(each)),
    ),
  ]
}

function cellText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}
