const ROWS =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|' +
  'FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|' +
  'MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|' +
  'NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|' +
  'PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|' +
  'WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|' +
  'PR Puerto Rico|VI U.S. Virgin Islands'

/** States, DC and territories: `{ value: 'MA', label: 'Massachusetts (MA)' }`. */
export const STATE_CHOICES: readonly { readonly value: string; readonly label: string }[] = ROWS.split('|').map(
  (row) => ({ value: row.slice(0, 2), label: `${row.slice(3)} (${row.slice(0, 2)})` }),
)

const NAMES: ReadonlyMap<string, string> = new Map(ROWS.split('|').map((row) => [row.slice(0, 2), row.slice(3)]))

/** A state's name, or its code if unknown. */
export function stateName(code: string): string {
  return NAMES.get(code) ?? code
}
