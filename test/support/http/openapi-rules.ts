import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as OpenAPI lays it out.
type Json = any

/** Caches the compiled schema. */
const VALIDATOR = new Validator()

/**
 * What is wrong with an OpenAPI 3.1 document, one line each: the OpenAPI schema, strict JSON Schema, examples that do not match
 * their schema, and what no schema can say (references, ids, paths, parameters, responses, security).
 */
export async function openApiFindings(document: Json): Promise<string[]> {
  const broken = [...brokenReferences(document)]
  if (broken.length > 0) return broken
  const { valid, errors } = await VALIDATOR.validate(structuredClone(document))
  if (!valid) return [`the OpenAPI schema: ${JSON.stringify(errors)}`]
  return [
    ...unusedComponents(document),
    ...serviceFindings(document),
    ...pathFindings(document),
    ...operationFindings(document),
    ...schemaFindings(document),
    ...exampleFindings(document),
    ...textFindings(document),
  ]
}

function* brokenReferences(document: Json): Iterable<string> {
  for (const [path, { $ref, ...siblings }] of objects(document)) {
    if ($ref === undefined) continue
    if (follow(document, $ref) === undefined) yield `${path}: nothing is at ${$ref}`
    if (Object.keys(siblings).some((key) => key !== 'description' && key !== 'summary')) yield `${path}: has siblings`
  }
}

function* unusedComponents(document: Json): Iterable<string> {
  const used = new Set([...objects(document)].map(([, { $ref }]) => $ref))
  for (const kind of ['schemas', 'headers', 'responses', 'parameters'])
    for (const name of Object.keys(document.components[kind] ?? {}))
      if (!used.has(`#/components/${kind}/${name}`)) yield `components.${kind}.${name}: is not used`
}

function* serviceFindings({ info, servers, tags, security, components, paths }: Json): Iterable<string> {
  if (info.license?.identifier === undefined && info.license?.url === undefined) yield 'info.license: is not identified'
  if (!(servers?.length > 0)) yield 'servers: is empty'
  for (const { url } of servers ?? [])
    if (/\/$|[{}]|\/\/(www\.)?example\.com/.test(url)) yield `servers: ${url} ends with a slash or is a placeholder`
  yield* duplicates(tags?.map(({ name }: Json) => name) ?? []).map((name) => `tags: ${name} is there twice`)
  for (const { name, description } of tags ?? []) if (!description) yield `tags: ${name} has no description`
  const required = [security, ...operationsOf(paths).map(([, operation]) => operation.security)].flat()
  if (security === undefined) yield 'security: is not defined'
  for (const scheme of required.flatMap((each) => Object.keys(each ?? {})))
    if (components.securitySchemes?.[scheme] === undefined) yield `security: ${scheme} is not defined`
}

function* pathFindings({ paths }: Json): Iterable<string> {
  for (const path of Object.keys(paths)) if (/[?]|.\/$|\{\}/.test(path)) yield `${path}: is no path`
  const templates = Object.keys(paths).map((path) => path.split('/'))
  for (const [n, one] of templates.entries())
    for (const other of templates.slice(n + 1))
      if (isAmbiguous(one, other)) yield `${one.join('/')}: matches the same URLs as ${other.join('/')}`
}

/** Whether a URL may match both templates, with neither more specific throughout. */
function isAmbiguous(one: readonly string[], other: readonly string[]): boolean {
  const isVariable = (part: string) => part.startsWith('{')
  if (one.length !== other.length) return false
  if (!one.every((part, n) => part === other[n] || isVariable(part) || isVariable(other[n]))) return false
  const moreSpecific = (a: readonly string[], b: readonly string[]) =>
    a.some((p, n) => !isVariable(p) && isVariable(b[n]))
  return moreSpecific(one, other) === moreSpecific(other, one)
}

function* operationFindings(document: Json): Iterable<string> {
  const all = operationsOf(document.paths)
  yield* duplicates(all.map(([, { operationId }]) => operationId)).map((id) => `${id}: is the id of two operations`)
  for (const [at, { operationId, summary, responses, parameters = [] }] of all) {
    if (!/^[\w.~-]+$/.test(operationId ?? '')) yield `${at}: has no id that is safe in a URL`
    if (!summary) yield `${at}: has no summary`
    for (const digit of ['2', '4']) {
      const succeeds = digit === '2' && '302' in responses
      if (!succeeds && !Object.keys(responses).some((status) => status.startsWith(digit)))
        yield `${at}: has no ${digit}xx response`
    }
    const names = parameters.map((one: Json) => `${one.in} ${one.name}`)
    yield* duplicates(names).map((name) => `${at}: has the parameter ${name} twice`)
    const ofPath = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
    const described = names.filter((name: string) => name.startsWith('path '))
    if (ofPath.sort().join() !== described.sort().join()) yield `${at}: describes other path parameters than it has`
  }
}

function* schemaFindings(document: Json): Iterable<string> {
  for (const [path, schema] of objects(document)) {
    const { enum: values, oneOf, anyOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema
    if (Array.isArray(values)) {
      yield* duplicates(values.map(String)).map((value) => `${path}: allows ${value} twice`)
      if (values.some((value) => typeof value !== schema.type)) yield `${path}: allows values of another type`
    }
    const choices = oneOf ?? anyOf
    if (
      Array.isArray(choices) &&
      (choices.length < 2 || duplicates(choices.map((one) => JSON.stringify(one))).length > 0)
    )
      yield `${path}: leaves no choice`
    if ((minimum ?? maximum) !== undefined && (exclusiveMinimum ?? exclusiveMaximum) !== undefined) {
      if (
        (minimum !== undefined && exclusiveMinimum !== undefined) ||
        (maximum !== undefined && exclusiveMaximum !== undefined)
      )
        yield `${path}: has two bounds of one kind`
    }
  }
}

/** Compiles every schema in strict mode, and validates the examples beside or in it. */
function* exampleFindings(document: Json): Iterable<string> {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  formats.default(ajv)
  const text = JSON.stringify(closed(document)).replaceAll('"#/components/schemas/', '"/schemas/')
  const { paths, components } = JSON.parse(text)
  for (const [name, schema] of Object.entries<Json>(components.schemas)) ajv.addSchema(schema, `/schemas/${name}`)
  for (const [path, value] of objects({ paths, components })) {
    const isSchema = Array.isArray(value.examples) && 'type' in value
    const schema = isSchema ? value : value.schema
    if (typeof schema !== 'object') continue
    try {
      const validate = ajv.compile(schema)
      const more = isSchema ? value.examples : Object.values<Json>(value.examples ?? {}).map((one) => one.value)
      for (const example of [value.example, ...more])
        if (example !== undefined && !validate(example)) yield `${path}: example: ${ajv.errorsText(validate.errors)}`
    } catch (error) {
      yield `${path}: schema: ${String(error)}`
    }
  }
  for (const name of Object.keys(components.schemas)) {
    try {
      ajv.getSchema(`/schemas/${name}`)
    } catch (error) {
      yield `components.schemas.${name}: ${String(error)}`
    }
  }
}

function* textFindings(document: Json): Iterable<string> {
  for (const [path, { description }] of objects(document))
    if (/<script|javascript:|\bon\w+=/i.test(String(description ?? ''))) yield `${path}: the description is unsafe`
}

/** The schema, with objects that allow no unknown properties. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isOpen =
    schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties === undefined
  return isOpen ? { ...parts, additionalProperties: false } : parts
}

function operationsOf(paths: Json): [at: string, operation: Json][] {
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
  )
}

function follow(document: Json, reference: string): Json {
  const parts = reference.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts[0] === '#' ? parts.slice(1).reduce((at, part) => at?.[part], document) : undefined
}

/** Every object in the document but those in examples. */
function objects(document: Json): [path: string, value: Json][] {
  const found: [string, Json][] = []
  const visit = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    found.push([path, value])
    for (const [key, part] of Object.entries(value))
      if (key !== 'example' && key !== 'examples') visit(part, `${path}.${key}`)
  }
  visit(document, '')
  return found
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, n) => values.indexOf(value) !== n)
}
