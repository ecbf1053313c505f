/**
 * A city in lower case, without accents and repeated spaces: callers write Mayaguez, Unicode has two forms of Mayagüez, and publishers
 * write "New  York", too.
 */
export function cityKey(city: string): string {
  return city.normalize('NFD').replace(ACCENTS, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

const ACCENTS = /\p{M}/gu

/** A postal code in lower case without spaces and hyphens: callers write K1A0B1, and publishers K1A 0B1. */
export function postalKey(postalCode: string): string {
  return postalCode.replace(/[ -]/g, '').toLowerCase()
}
