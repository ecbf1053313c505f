import { asObject, type Json } from '../lib/json.ts'
import { type ElementRule, elementsOf, type Primitive, primitive, requiredOf } from './r4-types.ts'
import { quote, stringOrEmpty } from './rule.ts'

/** How an element violates its FHIR R4 definition. */
export type StructureErrorKind =
  | 'required'
  | 'array'
  | 'single'
  | 'type'
  | 'form'
  | 'code'
  | 'unknown'
  | 'empty'
  | 'null'
  | 'reference-target'
  | 'period'

/** Violations by kind, each as `path: got "…"`. */
export type StructureErrors = { readonly [Kind in StructureErrorKind]?: readonly string[] }

/** Maximum number of violations kept per kind. */
const ERRORS_MAX = 20

/** Deeper than any supported element; a publisher may nest a million. */
const DEPTH_MAX = 12

/** Compares a resource with its definition: 2 µs for a Slot. */
export function findStructureErrors(type: string, resource: Json): StructureErrors {
  const found: Record<string, string[]> = {}
  walk({ found, depth: 0 }, type, resource, '')
  return found
}

interface Walk {
  readonly found: Record<string, string[]>
  readonly depth: number
}

function walk(state: Walk, type: string, value: Json, path: string): void {
  if (state.depth > DEPTH_MAX) return
  const elements = elementsOf(type)
  if (elements === undefined) return
  for (const key in value) {
    const element = elements.get(key)
    if (element !== undefined) compare(state, element, value, path + key)
    else if (extendsPrimitive(key, elements)) compareExtensions(state, value[key], path + key)
    else if (Object.hasOwn(value, key)) add(state, 'unknown', `${path}${key}`, value[key])
  }
  for (const element of requiredOf(type)) {
    const { name } = element
    if (value[name] === undefined && !hasOnlyExtensions(element, value[`_${name}`]))
      add(state, 'required', path + name, undefined)
  }
}

/** `_name` carries the extensions of a primitive (FHIR R4, 2.6.2.4). */
function extendsPrimitive(key: string, elements: ReadonlyMap<string, ElementRule>): boolean {
  return key.startsWith('_') && elements.has(key.slice(1))
}

/** Must be an object, or for a repeating element an array of objects and nulls. */
function compareExtensions(state: Walk, value: unknown, path: string): void {
  const isValid = Array.isArray(value)
    ? value.slice(0, VALUES_MAX).every((one) => one === null || asObject(one) !== undefined)
    : asObject(value) !== undefined
  if (!isValid) add(state, 'type', path, value)
}

/** A primitive may be missing, or null in an array, if it has extensions. */
function hasOnlyExtensions({ type }: ElementRule, extensions: unknown): boolean {
  return primitive(type) !== undefined && asObject(extensions) !== undefined
}

/** `path`: of the element. */
function compare(state: Walk, element: ElementRule, parent: Json, path: string): void {
  const value = parent[element.name]
  if (value === undefined || element.type === 'any') return
  if (value === null) add(state, 'null', path, value)
  else if (Array.isArray(value) && element.repeats) compareAll(state, element, parent, path)
  else if (Array.isArray(value)) {
    add(state, 'single', path, value)
    if (value.length === 1) compareOne(state, element, value[0], `${path}[0]`)
  } else {
    if (element.repeats) add(state, 'array', path, value)
    compareOne(state, element, value, path)
  }
}

function compareAll(state: Walk, element: ElementRule, parent: Json, path: string): void {
  const [values, extensions] = [asList(parent[element.name]), asList(parent[`_${element.name}`])]
  if (values.length === 0) add(state, 'empty', path, values)
  for (let at = 0; at < values.length && at < VALUES_MAX; at++) {
    if (values[at] !== null) compareOne(state, element, values[at], `${path}[${at}]`)
    else if (!hasOnlyExtensions(element, extensions[at])) add(state, 'null', `${path}[${at}]`, null)
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Array items that are checked. */
const VALUES_MAX = 50

function compareOne(state: Walk, element: ElementRule, value: unknown, path: string): void {
  const rule = primitive(element.type)
  const object = rule === undefined ? asObject(value) : undefined
  const kind = rule === undefined ? objectError(object) : primitiveError(rule, element, value)
  if (kind !== undefined) add(state, kind, path, value)
  else if (object !== undefined) compareObject(state, element, object, path)
}

function objectError(object: Json | undefined): StructureErrorKind | undefined {
  if (object === undefined) return 'type'
  for (const key in object) if (Object.hasOwn(object, key)) return undefined
  return 'empty'
}

function compareObject(state: Walk, element: ElementRule, object: Json, path: string): void {
  const inner = { found: state.found, depth: state.depth + 1 }
  if (element.type === 'Extension') walkExtension(inner, object, path)
  else walk(inner, element.type, object, `${path}.`)
  if (element.type === 'Period') compareOrder(state, object, path)
  if (element.type === 'Reference' && element.allowed !== undefined) {
    compareTarget(state, element.allowed, object, path)
  }
}

function primitiveError(
  rule: Primitive,
  { type, allowed }: ElementRule,
  value: unknown,
): StructureErrorKind | undefined {
  if (typeof value !== rule.is) return 'type'
  if (value === '') return 'empty'
  const isInteger = rule.integerFrom === undefined || (Number.isSafeInteger(value) && Number(value) >= rule.integerFrom)
  if (!isInteger || (rule.form !== undefined && !rule.form.test(String(value)))) return 'form'
  return type === 'code' && allowed?.has(String(value)) === false ? 'code' : undefined
}

/** Compares values of the same precision: a date may end on the day that it starts. */
function compareOrder(state: Walk, { start, end }: Json, path: string): void {
  const [fromMs, toMs] = [Date.parse(stringOrEmpty(start)), Date.parse(stringOrEmpty(end))]
  if (toMs < fromMs && stringOrEmpty(end).length >= stringOrEmpty(start).length)
    add(state, 'period', `${path}.end`, `${stringOrEmpty(end)} before ${stringOrEmpty(start)}`)
}

/** The type of an extension value is the suffix of its key. */
function walkExtension(state: Walk, extension: Json, path: string): void {
  if (state.depth > DEPTH_MAX) return
  if (extension.url === undefined) add(state, 'required', `${path}.url`, undefined)
  for (const key in extension) {
    const value = extension[key]
    if (key === 'url' || key === 'id') {
      if (typeof value !== 'string' || value === '') add(state, 'type', `${path}.${key}`, value)
    } else if (key === 'extension') {
      compare(state, NESTED, extension, `${path}.extension`)
    } else if (/^value[A-Z]/.test(key)) {
      const type = typeOfValue(key.slice(5))
      compare(state, { name: key, type, required: false, repeats: false }, extension, `${path}.${key}`)
    } else if (!key.startsWith('_value')) {
      add(state, 'unknown', `${path}.${key}`, value)
    }
  }
}

const NESTED: ElementRule = { name: 'extension', type: 'Extension', required: false, repeats: true }

/** `Url` is the primitive `url`, `ContactPoint` is itself. */
function typeOfValue(name: string): string {
  const lower = name.charAt(0).toLowerCase() + name.slice(1)
  if (primitive(lower) !== undefined) return lower
  return elementsOf(name) === undefined ? 'any' : name
}

function compareTarget(state: Walk, allowed: ReadonlySet<string>, reference: Json, path: string): void {
  const text = stringOrEmpty(reference.reference)
  const type = /(?:^|\/)([A-Z][A-Za-z]+)\/[^/]+(?:\/_history\/[^/]+)?$/.exec(text)?.[1]
  if (type !== undefined && !allowed.has(type)) add(state, 'reference-target', `${path}.reference`, text)
  const named = stringOrEmpty(reference.type)
  const isName = /^[A-Z][A-Za-z]+$/.test(named)
  if (isName && type !== undefined && named !== type) add(state, 'reference-target', `${path}.type`, named)
}

function add(state: Walk, kind: StructureErrorKind, path: string, value: unknown): void {
  const list = state.found[kind] ?? []
  state.found[kind] = list
  if (list.length < ERRORS_MAX) list.push(quote(path.slice(0, 120), value))
}
