import { asText, excerpt, type Json } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'

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
