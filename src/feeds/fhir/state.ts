/**
 * The two-letter code of a state, district, territory or military region from its code, name or old abbreviation, ignoring
 * case. Undefined for other texts: the API only filters by known codes.
 */
export function stateCode(text: string): string | undefined {
  const plain = text
    .replaceAll('.', '')
    .replace(/[,\s]+/g, ' ')
    .trim()
    .toUpperCase()
  const iso = plain.replace(/^US[- ]/, '')
  return CODES.has(iso) ? iso : (BY_NAME.get(iso) ?? BY_NAME.get(iso.replace(OFFICIAL, '')))
}

/** Prefix of a full name: "Commonwealth of Massachusetts". */
const OFFICIAL = /^(?:(?:THE )?(?:STATE|COMMONWEALTH|TERRITORY) OF |THE )/

const NAMES =
  'AL Alabama,Ala|AK Alaska,Alas|AZ Arizona,Ariz|AR Arkansas,Ark|CA California,Calif,Cal|CO Colorado,Colo,Col|' +
  'CT Connecticut,Conn|DE Delaware,Del|DC District of Columbia,Washington DC,Washington D C,Wash DC,D C|' +
  'FL Florida,Fla,Flor|GA Georgia|HI Hawaii,Haw|ID Idaho,Ida|IL Illinois,Ill,Ills|IN Indiana,Ind|IA Iowa|' +
  'KS Kansas,Kan,Kans|KY Kentucky,Ken,Kent|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts,Mass|MI Michigan,Mich|' +
  'MN Minnesota,Minn|MS Mississippi,Miss|MO Missouri|MT Montana,Mont|NE Nebraska,Neb,Nebr|NV Nevada,Nev|' +
  'NH New Hampshire,N H,N Hampshire|NJ New Jersey,N J,N Jersey|NM New Mexico,N M,N Mex,N Mexico,New Mex|' +
  'NY New York,N Y,N York,New York State|NC North Carolina,N C,N Car,N Carolina,No Carolina|' +
  'ND North Dakota,N D,N Dak,N Dakota,No Dakota|OH Ohio|OK Oklahoma,Okla|OR Oregon,Ore,Oreg|' +
  'PA Pennsylvania,Penn,Penna|RI Rhode Island,R I,Rhode Island and Providence Plantations|' +
  'SC South Carolina,S C,S Car,S Carolina,So Carolina|SD South Dakota,S D,S Dak,S Dakota,So Dakota|TN Tennessee,Tenn|' +
  'TX Texas,Tex|UT Utah|VT Vermont,Verm|VA Virginia,Virg|WA Washington,Wash,Washington State|' +
  'WV West Virginia,W V,W Va,WVa,W Virginia|WI Wisconsin,Wis,Wisc|WY Wyoming,Wyo|AS American Samoa|GU Guam|' +
  'MP Northern Mariana Islands,CNMI|PR Puerto Rico,P R|' +
  'VI Virgin Islands,US Virgin Islands,U S Virgin Islands,USVI,Virgin Islands of the United States|' +
  'FM Federated States of Micronesia,Micronesia|MH Marshall Islands,Republic of the Marshall Islands|' +
  'PW Palau,Republic of Palau|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific'

const ROWS = NAMES.split('|').map((row) => ({ code: row.slice(0, 2), names: row.slice(3).split(',') }))

const CODES: ReadonlySet<string> = new Set(ROWS.map(({ code }) => code))

const BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(({ code, names }) => names.filter(Boolean).map((name) => [name.toUpperCase(), code] as const)),
)

/**
 * Restores leading zeros of a ZIP code that a spreadsheet removed: `8015-385` in NJ is `08015-0385`. Only for states whose
 * ZIP codes begin with zero. Returns other texts unchanged.
 */
export function postalCode(text: string, state: string | undefined): string {
  const [, zip = '', extension] = /^(\d{3,5})(?:-(\d{1,4}))?$/.exec(text) ?? []
  const whole = zip.padStart(5, '0')
  const fits = zip.length === 5 || (state === 'NY' ? NEW_YORK_WITH_ZERO.has(whole) : STATES_WITH_ZERO.has(state ?? ''))
  if (zip === '' || !fits) return text
  return extension === undefined ? whole : `${whole}-${extension.padStart(4, '0')}`
}

/** `AE`: Armed Forces Europe. */
const STATES_WITH_ZERO: ReadonlySet<string> = new Set([...['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VI', 'VT'], 'AE'])

/** Two of a tax office in Holtsville, and Fishers Island, which Connecticut serves. */
const NEW_YORK_WITH_ZERO: ReadonlySet<string> = new Set(['00501', '00544', '06390'])
