import { shortHash } from './short-hash.ts'
import type { Offering } from './slot.ts'

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
