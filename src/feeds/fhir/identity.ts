import { asText, excerpt, type Json } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'

/**
 * The id of a resource. Leniently anything of 1 to 256 characters without spaces and control characters, also a number;
 * strictly the form that FHIR gives ids. Throws `InvalidData`.
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const LENIENT_ID = /^[^\x00-\x20\x7f]+$/
