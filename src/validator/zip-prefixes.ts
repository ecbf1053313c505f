/** The states of each first digit of a ZIP Code (USPS), with the few whose post comes by way of a neighbour. */
const STATES: readonly string[] = [
  'CT MA ME NH NJ NY PR RI VI VT',
  'DE NY PA',
  'DC MD NC SC VA WV',
  'AL FL GA MS TN',
  'IN KY MI OH',
  'DC IA MN MT ND SD WI',
  'IL KS MO NE',
  'AR LA OK TX',
  'AZ CO ID NM NV TX UT WY',
  'AK AS CA FM GU HI MH MP OR PW WA',
]

/** False if no address of the state has such a ZIP Code; as exact as its first digit. */
export function mayHaveZip(state: string, zip: string): boolean {
  const states = STATES[Number(zip[0])] ?? ''
  // Military post is of no state; its codes begin like those of New York, Florida and California.
  return states.includes(state) || /^A[AEP]$/.test(state)
}
