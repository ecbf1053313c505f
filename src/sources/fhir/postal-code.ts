/**
 * A ZIP code with the leading zeros that a spreadsheet took from it: `8332-3762` in NJ is `08332-3762`. Only where the
 * state's ZIP codes begin with a zero; everything else is as it came.
 */
export function postalCode(text: string, state: string | undefined): string {
  const [, digits = '', extension = ''] = /^(\d{3,4})(-?\d{4})?$/.exec(text) ?? []
  if (digits === '') return text
  const whole = `${digits.padStart(5, '0')}${extension}`
  if (state === 'NY') return NEW_YORK_WITH_ZERO.has(whole.slice(0, 5)) ? whole : text
  return state !== undefined && STATES_WITH_ZERO.has(state) ? whole : text
}

const STATES_WITH_ZERO: ReadonlySet<string> = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VI', 'VT'])

/** Two of a tax office and one of an island that Connecticut serves. */
const NEW_YORK_WITH_ZERO: ReadonlySet<string> = new Set(['00501', '00544', '06390'])
