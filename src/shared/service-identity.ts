/** The name of the software. */
export const PRODUCT_NAME = 'Scheduling Slots'

/** Who runs the service, as people and clients see it. */
export interface ServiceIdentity {
  readonly name: string
  /** A `mailto:`, `https:` or `tel:` URI. */
  readonly contact?: string
  readonly termsUrl?: string
  readonly privacyUrl?: string
  readonly statusUrl?: string
}

/** A service whose operator has set nothing. */
export const UNNAMED_SERVICE: ServiceIdentity = { name: PRODUCT_NAME }

/** A contact as people read it: the address of a mail, the number of a telephone, the URL of a page. */
export function contactText(contact: string): string {
  return contact.replace(/^(?:mailto|tel):/, '').replace(/\?.*$/, '')
}

/** The links that footers and `llms.txt` have, in their order. */
export function operatorLinks({ statusUrl, termsUrl, privacyUrl, contact }: ServiceIdentity) {
  const links = { Status: statusUrl, Terms: termsUrl, Privacy: privacyUrl, Contact: contact }
  return Object.entries(links).flatMap(([text, href]) => (href === undefined ? [] : [{ text, href }]))
}
