import { unusualPhoneLength } from '../feeds/fhir/data-types.ts'

/** Why a text is no telephone number that can be called; undefined if it may be one. */
export function phoneFault(text: string): string | undefined {
  const fault = unusualPhoneLength(text)
  if (fault !== undefined) return fault
  const [, area, exchange] = /^(?:\+?1)?(\d{3})(\d{3})\d{4}$/.exec(text.replace(/^\s*tel:|[\s().-]/gi, '')) ?? []
  return area !== undefined && (/^[01]/.test(area) || /^[01]/.test(exchange))
    ? 'a number that is not assigned'
    : undefined
}
