import type { JsonSchema } from '../../../slot/query-parameter.ts'

/** A reference to a component. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

export function object({
  required = {},
  optional = {},
}: {
  required?: Readonly<Record<string, JsonSchema>>
  optional?: Readonly<Record<string, JsonSchema>>
}): JsonSchema {
  const names = Object.keys(required)
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(names.length > 0 && { required: names }),
  }
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...more }
}

/** As published. Not `format: uri`, because browsers accept more than RFC 3986. */
export function link(description: string): JsonSchema {
  return text(`${description}: an http or https URL.`, {
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  })
}

export function instant(description: string): JsonSchema {
  return text(`${description} RFC 3339.`, { format: 'date-time' })
}

export function truth(description: string): JsonSchema {
  return { type: 'boolean', description }
}

export function count(description: string): JsonSchema {
  return { type: 'integer', minimum: 0, description }
}
