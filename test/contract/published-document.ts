import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A documented parameter. */
export interface PublishedParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: PublishedSchema
}

/** The parts of a schema that the test reads. */
export interface PublishedSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: PublishedSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
}

/** The documented responses of one status. */
export interface PublishedResponse {
  readonly description: string
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, { readonly required: boolean; readonly check: Check }>
  /** By media type. */
  readonly contents: ReadonlyMap<string, Check>
}

export interface PublishedOperation {
  readonly path: string
  readonly method: string
  readonly parameters: readonly PublishedParameter[]
  readonly responses: ReadonlyMap<number, PublishedResponse>
}

/** The error of a value; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as OpenAPI lays it out.
type Json = any

/** An OpenAPI document, whose schemas are made to refuse fields that they do not name. */
export class PublishedDocument {
  readonly operations: readonly PublishedOperation[]
  readonly #document: Json
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(text: string) {
    this.#document = JSON.parse(text.replaceAll('"#/components/schemas/', '"/schemas/'))
    formats.default(this.#ajv)
    this.#ajv.addFormat('date-time', isInstant)
    for (const [name, schema] of Object.entries(this.#document.components.schemas))
      this.#ajv.addSchema(closed(schema) as object, `/schemas/${name}`)
    const operations = Object.entries<Json>(this.#document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    this.operations = operations.map(({ path, method, operation }) => ({
      path,
      method,
      parameters: operation.parameters.map((one: Json) => ({ required: false, ...one })),
      responses: new Map(
        Object.entries<Json>(operation.responses).map(([status, response]) => [
          Number(status),
          this.#responseOf(this.#follow(response)),
        ]),
      ),
    }))
  }

  operation(path: string): PublishedOperation {
    const found = this.operations.find((operation) => operation.path === path)
    if (found === undefined) throw new Error(`The document must describe ${path}: it does not`)
    return found
  }

  /** One of the schemas that have a name. */
  schema(name: string): Check {
    return this.check({ $ref: `/schemas/${name}` })
  }

  check(schema: object): Check {
    const validate: ValidateFunction = this.#ajv.compile(closed(schema) as object)
    return (value) =>
      validate(value) ? undefined : `${JSON.stringify(value)?.slice(0, 500)}: ${this.#ajv.errorsText(validate.errors)}`
  }

  #responseOf({ description, headers = {}, content = {} }: Json): PublishedResponse {
    return {
      description,
      headers: new Map(
        Object.entries<Json>(headers).map(([name, header]) => {
          const { required = false, schema } = this.#follow(header)
          return [name.toLowerCase(), { required, check: this.check(schema) }]
        }),
      ),
      contents: new Map(Object.entries<Json>(content).map(([type, { schema }]) => [type, this.check(schema)])),
    }
  }

  #follow(value: Json): Json {
    if (value.$ref === undefined) return value
    const steps: string[] = value.$ref.slice(2).split('/')
    return steps.reduce((at, step) => at[step], this.#document)
  }
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  return 'properties' in schema ? { additionalProperties: false, ...parts } : parts
}

/** RFC 3339, 5.6, with a capital T: stricter than the format of the library, which lets a space pass. */
function isInstant(text: string): boolean {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text)
  if (parts === null) return false
  const seconds = parts[3] === '60' ? '59' : parts[3]
  const time = new Date(`${parts[1]}T${parts[2]}:${seconds}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(parts[1])
}
