/**
 * A text as a cell of CSV (RFC 4180): in quotes where it needs them.
 *
 * Programs that open such files take a text for a formula if it begins with one of a few signs, and formulas can send what
 * is beside them elsewhere. Publishers choose these texts, so such a one gets a `'` in front, as OWASP advises ("CSV
 * Injection").
 */
export function csvCell(text: string | undefined): string {
  if (text === undefined) return ''
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Their full-width forms are read as the same signs. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
