/**
 * A ZIP code with the leading zeros that a spreadsheet took from its two numbers: `8015-385` in NJ is `08015-0385`. The
 * first gets them back only where the state's ZIP codes begin with a zero. What is no ZIP code stays as it came.
 */
export function postalCode(text: string, state: string | undefined): string {
  const [, zip = '', extension] = /^(\d{3,5})(?:-(\d{1,4}))?$/.exec(text) ?? []
  const whole = zip.padStart(5, '0')
  const fits =
    zip.length === 5 || (state === 'NY' ? NEW_YORK_WITH_ZERO.has(whole) : STATES_WITH_ZERO.has(state ?? ''))
  if (zip === '' || !fits) return text
  return extension === undefined ? whole : `${whole}-${extension.padStart(4, '0')}`
}

/** `AE` are the armed forces in Europe. */
const STATES_WITH_ZERO: ReadonlySet<string> = new Set([
  ...['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VI', 'VT'],
  'AE',
])

/** Two of a tax office and one of an island that Connecticut serves. */
const NEW_YORK_WITH_ZERO: ReadonlySet<string> = new Set(['00501', '00544', '06390'])
