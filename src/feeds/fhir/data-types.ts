import {
  asObject,
  asText,
  distinctByJson,
  got,
  IN_QUOTES,
  isInexact,
  isObject,
  type Json,
  objectsIn,
} from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import { type Coding, RESOURCE_TYPES } from '../../slot/slot.ts'
import { InvalidData } from '../rejections.ts'

/** The codings of a CodeableConcept, or of several. */
export interface Concept {
  /** Of the first coding that has one. */
  readonly code?: string
  /** The text of the concept with that coding, else the display of the coding. */
  readonly text?: string
  /** All distinct codings, that one first; a text that no coding displays counts as one. At most 20. */
  readonly codings: readonly Coding[]
}

/** The limit bounds an offering, which is repeated for each slot of a page. */
const CODINGS_MAX = 20

/** Reads a CodeableConcept or an array of them; also the CodeableReference of FHIR R5. Undefined without any code or text. */
export function conceptOf(value: unknown): Concept | undefined {
  const entries = objectsIn(value).flatMap(entriesOf)
  if (entries.length === 0) return undefined
  const first = entries[firstOf(entries)]
  const { code, display } = first.coding
  const text = first.text ?? display
  const others = entries.filter((entry) => entry !== first && !(entry.isText && entry.text === text))
  return { ...defined({ code, text }), codings: distinctCodings([first, ...others].map(({ coding }) => coding)) }
}

/** One concept with the codings of all; the first one determines code and text. Undefined without any. */
export function mergeConcepts(concepts: readonly (Concept | undefined)[]): Concept | undefined {
  const [first, ...others] = concepts.filter((concept) => concept !== undefined)
  if (first === undefined || others.length === 0) return first
  const more = others.flatMap(({ text, codings }) => [
    ...codings,
    ...(text === undefined ? [] : textOnly(text, codings)),
  ])
  return { ...first, codings: distinctCodings([...first.codings, ...more]) }
}

function textOnly(text: string, codings: readonly Coding[]): Coding[] {
  return codings.some(({ display }) => display === text) ? [] : [{ display: text }]
}

/** A coding and the text of its concept. */
interface Entry {
  readonly coding: Coding
  readonly text: string | undefined
  /** It is only the text of its concept. */
  readonly isText: boolean
}

function entriesOf(value: Json): Entry[] {
  const concept = asObject(value.concept) ?? value
  const text = asText(concept.text)
  // Some publishers send a Coding instead of a CodeableConcept, as an example of the 2025 draft does.
  const isConcept = Array.isArray(concept.coding) || isObject(concept.coding)
  const codings = isConcept ? objectsIn(concept.coding) : [concept]
  const entries = codings
    .map((coding) => ({ coding: codingOf(coding, text), text, isText: false }))
    .filter(({ coding }) => coding.code !== undefined || coding.display !== undefined)
  if (text === undefined) return entries
  const alone = textOnly(
    text,
    entries.map(({ coding }) => coding),
  )
  return [...entries, ...alone.map((coding) => ({ coding, text, isText: true }))]
}

/** Reads a Coding. `text`: its display if it has none. */
export function codingOf({ system, code, display }: Json, text?: string): Coding {
  return defined({ system: asText(system), code: asText(code), display: asText(display) ?? text })
}

/**
 * The first coding with a code. The 2021 specification requires the general `57` ("Immunization") beside the specific
 * `covid19-immunization`.
 */
function firstOf(entries: readonly Entry[]): number {
  const codes = entries.map(({ coding }) => coding.code)
  const first = codes.findIndex((code) => code !== undefined)
  return Math.max(0, codes[first] === '57' ? Math.max(first, codes.indexOf('covid19-immunization')) : first)
}

function distinctCodings(codings: readonly Coding[]): readonly Coding[] {
  if (codings.length === 1) return codings
  return distinctByJson(codings).slice(0, CODINGS_MAX)
}

/** The target of a reference. Without a type (`urn:uuid:…`, a bare id) it matches any resource with that id. */
export interface Target {
  readonly type?: string
  readonly id: string
}

/**
 * Parses a FHIR Reference: relative (`Location/1`), absolute, `urn:uuid:` or a bare id; ignores a version (`/_history/2`).
 * Undefined for a contained resource (`#1`), an identifier only, or an invalid reference.
 *
 * Absolute references match by type and id only: the base URL is redundant within one feed, and often wrong.
 */
export function parseReference(reference: Json): Target | undefined {
  const text = asText(reference.reference)
  if (text === undefined || text.startsWith('#')) return undefined
  const urn = /^urn:(?:uuid|oid):(.+)$/i.exec(text)
  if (urn !== null) return { id: urn[1] }
  const plain = text
    .replace(/[?#].*$/, '')
    .replace(/\/_history\/[^/]*\/?$/, '')
    .replace(/\/$/, '')
  const relative = RELATIVE.exec(plain)
  if (relative !== null) return { type: relative[1], id: relative[2] }
  const path = plain.split('/')
  const id = path.at(-1)
  const before = path.at(-2) ?? ''
  const type = TYPE.test(before) ? before : asText(reference.type)
  if (id === undefined || id === '') return undefined
  return type === undefined ? { id } : { type, id }
}

/** The id may have slashes: see `idOf()`. */
const RELATIVE = new RegExp(`^(${RESOURCE_TYPES.join('|')})/(.+)$`)
const TYPE = /^[A-Z][A-Za-z]+$/

/** True for the form that the specification requires: `Type/id`, or an absolute URL that ends with it. */
export function isPlainReference(reference: Json): boolean {
  return typeof reference.reference === 'string' && PLAIN.test(reference.reference)
}

const PLAIN = /^(?:https?:\/\/\S+\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/

/**
 * The id of a resource. Lenient: 1 to 256 characters without spaces and control characters, or an exact number. Strict: the `id`
 * type of FHIR. Throws `InvalidData`.
 */
export function idOf(resource: Json, strict: boolean): string {
  const { id } = resource
  if (typeof id === 'string' && id.length <= 256 && (strict ? FHIR_ID : LENIENT_ID).test(id)) return id
  if (isInexact(id)) throw new InvalidData(`id must be ${IN_QUOTES}: ${got(id)}`)
  if (typeof id === 'number' && !strict) return String(id)
  throw new InvalidData(
    `id must be 1 to ${strict ? '64 letters, digits, "-" or "."' : '256 characters without spaces'}: ${got(id)}`,
  )
}

/** The identifiers of a resource or reference, without old ones: `use` is a modifier, and is not served (FHIR R4: Identifier.use). */
export function currentIdentifiers(value: unknown): readonly Json[] {
  return objectsIn(value).filter(({ use }) => use !== 'old')
}

/** The National Provider Identifier among a resource's identifiers: ten digits. */
export function npiOf(identifier: unknown): string | undefined {
  const values = currentIdentifiers(identifier)
    .filter(({ system }) => NPI_SYSTEMS.has(asText(system) ?? ''))
    .map(({ value }) => asText(value))
  return values.find((value) => value !== undefined && /^\d{10}$/.test(value))
}

/** FHIR's name of the system, and its object identifier, by which HL7 v2 and CDA know it. */
export const NPI_SYSTEMS: ReadonlySet<string> = new Set([
  'http://hl7.org/fhir/sid/us-npi',
  'urn:oid:2.16.840.1.113883.4.6',
])

const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: rejects them
const LENIENT_ID = /^[^\x00-\x20\x7f]+$/

/**
 * The last segment of an extension's URL, without a version. The three generations of SMART Scheduling Links use different
 * roots for the same extensions (`http://fhir-registry.smarthealthit.org/StructureDefinition/`,
 * `http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/`), and publishers misspell both.
 */
export function extensionName(url: unknown): string {
  if (typeof url !== 'string') return ''
  const known = names.get(url)
  if (known !== undefined) return known
  const name = /([^/|]*)\/?(?:\|[^/]*)?$/.exec(url.slice(-200))?.[1] ?? ''
  // A feed uses a dozen; the limit bounds memory for a feed with a new URL in every slot.
  if (names.size < 1000 && url.length < 500) names.set(url, name)
  return name
}

const names = new Map<string, string>()

/** The extensions of an element with this name. */
export function extensions(element: Json, name: string): readonly Json[] {
  if (!Array.isArray(element.extension)) return []
  return element.extension.filter((extension) => extensionName(asObject(extension)?.url) === name)
}

/** The text of an extension's value of any type: the value of a ContactPoint, the code of a coding. */
export function valueText(extension: Json): string | undefined {
  const plain = asText(extension.valueUrl) ?? asText(extension.valueString) ?? asText(extension.valueUri)
  return plain ?? asText(asObject(extension.valueContactPoint)?.value) ?? valueCode(extension)
}

/** The code of an extension's value: a code, a Coding, a CodeableConcept (its first coding, else its text) or a string. */
export function valueCode(extension: Json): string | undefined {
  const coded = asText(extension.valueCode) ?? asText(asObject(extension.valueCoding)?.code)
  if (coded !== undefined) return coded
  const concept = asObject(extension.valueCodeableConcept)
  const first = Array.isArray(concept?.coding) ? concept.coding[0] : undefined
  return asText(asObject(first)?.code) ?? asText(concept?.text) ?? asText(extension.valueString)
}

/**
 * A phone number that is safe to serve, or undefined: at least three digits, no markup, no protocol but `tel:` (which is
 * removed), at most 100 characters. Words and extensions are kept as written.
 */
export function phoneText(text: string): string | undefined {
  if (PLAIN_PHONE.test(text)) return text
  const plain = text.replace(/^\s*tel:/i, '').trim()
  if (plain.length > PHONE_LENGTH_MAX || MARKUP.test(plain) || PROTOCOL.test(plain)) return undefined
  return (plain.match(/\d/g)?.length ?? 0) >= 3 ? plain : undefined
}

/** The digit count of a number with an unusual length for its country, or undefined. */
export function unusualPhoneLength(text: string): string | undefined {
  const [number = ''] = text.replace(/^\s*tel:/i, '').split(/(?:ext|x|#|,|;)/i, 1)
  // 1-800-FLOWERS: the letters are digits.
  if (/[a-z]/i.test(number)) return undefined
  const digits = number.replace(/\D/g, '')
  if (digits.length === 3) return undefined
  if (number.trim().startsWith('+') && !digits.startsWith('1'))
    return digits.length >= 8 && digits.length <= 15 ? undefined : `${digits.length} digits`
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  return national.length === 10 ? undefined : `${national.length} digits`
}

const PHONE_LENGTH_MAX = 100

/** Fast path for nearly all numbers. */
const PLAIN_PHONE = /^\+?[\d(][\d ().-]{6,24}$/

const MARKUP = /[<>"'`{}\\]/

/** "Phone: 413-555-0100" is a label, `javascript:alert(1)` is not. */
const PROTOCOL = /^(?:[a-z][a-z0-9+.-]*:(?!\s)|(?:javascript|vbscript|data)\s*:)/i

/**
 * An absolute http or https URL that is safe to serve, escaped where necessary, or undefined: at most 2,000 characters, no
 * user or password (which can disguise the host).
 */
export function webLink(text: string): string | undefined {
  if (text.length > LINK_LENGTH_MAX) return undefined
  if (PLAIN_LINK.test(text)) return text
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return url.username === '' && url.password === '' && url.href.length <= LINK_LENGTH_MAX ? url.href : undefined
}

const LINK_LENGTH_MAX = 2000

/** Fast path for nearly all links, five times faster than `new URL`. */
const PLAIN_LINK = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i
