import { hash } from 'node:crypto'
import type { Offering } from './slot.ts'

/**
 * The stable id of a slot: a short hash of what identifies it, 24 characters of base32hex. Slot.id alone is not unique: one feed uses the
 * same id for 14 slots, and others reuse ids every month.
 */
export function slotId(
  publisher: string,
  scheduleId: string,
  sourceSlotId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): string {
  // A line feed cannot occur in a slug or a FHIR id, so different parts cannot give the same text.
  return shortHash(`${publisher}\n${scheduleId}\n${sourceSlotId}\n${startMs}\n${endMs}`)
}

/**
 * Identifies a provider at a location of a publisher, 24 characters of base32hex: the provider by NPI, else by name; the location by name
 * and address. Case and other fields do not matter.
 */
export function actorKeyOf({ publisher, provider, location }: Offering): string {
  const providerParts = provider?.npi === undefined ? ['name', provider?.name] : ['npi', provider.npi]
  const locationParts = [location?.name, location?.addressLine, location?.city, location?.state, location?.postalCode]
  // JSON separates the parts and distinguishes absent from empty ones.
  return shortHash(JSON.stringify([publisher, providerParts, locationParts]).toLowerCase())
}

/** RFC 4648, section 7, in lower case: sorts like the values. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** The two characters of each 10-bit value. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31))

/**
 * The first 120 bits of SHA-256 of a text, as 24 characters of base32hex. The probability of a collision among a billion texts is below
 * 10^-18.
 */
export function shortHash(text: string): string {
  // A binary string takes half the time of a Buffer.
  const bytes = hash('sha256', text, 'binary')
  let short = ''
  for (let at = 0; at < 15; at += 5) {
    const middle = bytes.charCodeAt(at + 2)
    const high = bytes.charCodeAt(at) * 65_536 + bytes.charCodeAt(at + 1) * 256 + middle
    const low = (middle & 0x0f) * 65_536 + bytes.charCodeAt(at + 3) * 256 + bytes.charCodeAt(at + 4)
    short += PAIRS[high >> 14] + PAIRS[(high >> 4) & 1023] + PAIRS[low >> 10] + PAIRS[low & 1023]
  }
  return short
}

/** The part (see `Origin`) of slots that are looked up by id, for feeds that publish updates: an index of the store has them. */
export const INDEXED_PART = 2 ** 32 - 1
