import { asObject, asText, excerpt, type Json, objectsIn } from '../../lib/json.ts'
import { InvalidData } from '../rejections.ts'

/** A code and its text. */
export interface Concept {
  readonly code?: string
  readonly text?: string
}

/**
 * "Immunization", too broad to be useful beside another code. The 2021 specification requires it together with a specific
 * one (`covid19-immunization`).
 */
const GENERIC_CODES: ReadonlySet<string> = new Set(['57'])

/**
 * The most specific coding of a CodeableConcept or an array of them: the first that has a code and is not generic, else the
 * first with a code, else the first text. The text is the concept's own, else the coding's display. Undefined without any.
 */
export function conceptOf(value: unknown): Concept | undefined {
  let chosen: Concept | undefined
  let use = 0
  for (const concept of objectsIn(value)) {
    const text = asText(concept.text)
    for (const coding of codingsOf(concept)) {
      const code = asText(coding.code)
      const words = text ?? asText(coding.display)
      const useOfThis = usefulness(code, words)
      if (useOfThis <= use) continue
      use = useOfThis
      chosen = conceptFrom(code, words)
    }
  }
  return chosen
}

/** Some publishers send a Coding instead of a CodeableConcept, as an example of the 2025 draft does. */
function codingsOf(concept: Json): readonly Json[] {
  if (!Array.isArray(concept.coding)) return [concept]
  const codings = objectsIn(concept.coding)
  return codings.length > 0 ? codings : WORDS_ONLY
}

const WORDS_ONLY: readonly Json[] = [{}]

function usefulness(code: string | undefined, words: string | undefined): number {
  if (code === undefined) return words === undefined ? 0 : 1
  return GENERIC_CODES.has(code) ? 2 : 3
}

function conceptFrom(code: string | undefined, text: string | undefined): Concept {
  if (code === undefined) return text === undefined ? {} : { text }
  return text === undefined ? { code } : { code, text }
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
  const path = text
    .replace(/[?#].*$/, '')
    .replace(/\/_history\/[^/]*\/?$/, '')
    .replace(/\/$/, '')
    .split('/')
  const id = path.at(-1)
  const before = path.at(-2) ?? ''
  const type = TYPE.test(before) ? before : asText(reference.type)
  if (id === undefined || id === '') return undefined
  return type === undefined ? { id } : { type, id }
}

const TYPE = /^[A-Z][A-Za-z]+$/

/** True for the form that the specification requires: `Type/id`, or an absolute URL that ends with it. */
export function isPlainReference(reference: Json): boolean {
  return typeof reference.reference === 'string' && PLAIN.test(reference.reference)
}

const PLAIN = /^(?:https?:\/\/\S+\/)?[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/

/**
 * The id of a resource. Lenient: 1 to 256 characters without spaces and control characters, or a number. Strict: the `id`
 * type of FHIR. Throws `InvalidData`.
 */
export function idOf(resource: Json, strict: boolean): string {
  const { id } = resource
  if (typeof id === 'string' && id.length <= 256 && (strict ? FHIR_ID : LENIENT_ID).test(id)) return id
  if (typeof id === 'number' && !strict) return String(id)
  throw new InvalidData(
    `id must be 1 to ${strict ? '64 letters, digits, "-" or "."' : '256 characters without spaces'}: got "${excerpt(id)}"`,
  )
}

/** The National Provider Identifier among a resource's identifiers: ten digits. */
export function npiOf(identifiers: readonly Json[]): string | undefined {
  const values = identifiers.filter(({ system }) => system === NPI_SYSTEM).map(({ value }) => asText(value))
  return values.find((value) => value !== undefined && /^\d{10}$/.test(value))
}

const NPI_SYSTEM = 'http://hl7.org/fhir/sid/us-npi'

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
