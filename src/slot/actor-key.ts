import { shortHash } from './short-hash.ts'
import type { Offering } from './slot.ts'

/**
 * What all offerings of one provider at one location of a publisher share, 24 characters of base32hex: provider by NPI, else by
 * name; location by name and address. Neither case nor what else is said of them makes a difference.
 */
export function actorKeyOf({ publisher, provider, location }: Offering): string {
  const who = provider?.npi === undefined ? ['name', provider?.name] : ['npi', provider.npi]
  const where = [location?.name, location?.addressLine, location?.city, location?.state, location?.postalCode]
  // As JSON the parts cannot run into each other, and one that is absent differs from an empty one.
  return shortHash(JSON.stringify([publisher, who, where]).toLowerCase())
}
