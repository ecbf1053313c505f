/**
 * The two-letter code of a state, district, territory or military region from its code, name or old abbreviation, ignoring
 * case. Undefined for other texts: the API only filters by known codes.
 */
export function stateCode(text: string): string | undefined {
  if (CODES.has(text)) return text
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

/** The names of states, territories and military regions. */
export const STATE_NAMES: readonly string[] = ROWS.map(({ names: [name] }) => name)

const CODES: ReadonlySet<string> = new Set(ROWS.map(({ code }) => code))

const BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(({ code, names }) => names.filter(Boolean).map((name) => [name.toUpperCase(), code] as const)),
)

/**
 * True for the United States and its territories and freely associated states, which have country codes of their own. An address
 * without a country is taken for one in the US.
 */
export function isUsCountry(country: string | undefined): boolean {
  if (country === undefined) return true
  const plain = country
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .replace(/[-\s]+/g, ' ')
    .trim()
    .toLowerCase()
  return US_COUNTRIES.has(plain) || plain.startsWith('united states')
}

/** ISO 3166 codes, alphabetic and numeric, and names in the languages of US feeds and of large vendors. */
const US_COUNTRIES: ReadonlySet<string> = new Set(
  (
    'us|usa|840|um|umi|581|america|the united states|the united states of america|us of a|' +
    "estados unidos|estados unidos de america|ee uu|eeuu|eua|etats unis|etats unis d'amerique|" +
    'vereinigte staaten|vereinigte staaten von amerika|stati uniti|verenigde staten|' +
    'pr|pri|630|puerto rico|vi|vir|850|us virgin islands|virgin islands (us)|' +
    'gu|gum|316|guam|as|asm|016|16|american samoa|mp|mnp|580|northern mariana islands|' +
    'fm|fsm|583|mh|mhl|584|pw|plw|585'
  ).split('|'),
)

/**
 * Restores what a spreadsheet removed from a ZIP code: leading zeros (`8015-385` in NJ is `08015-0385`), only for states whose
 * ZIP codes begin with zero, and the hyphen of nine digits (`21140001` in MA is `02114-0001`). Returns other texts unchanged.
 */
export function postalCode(text: string, state: string | undefined): string {
  const [, zip = '', extension] = HYPHENED.exec(text) ?? NINE_DIGITS.exec(text) ?? []
  const whole = zip.padStart(5, '0')
  const fits =
    zip.length === 5 || NEW_YORK_WITH_ZERO.has(`${state} ${whole}`) || STATES_WITH_ZERO[zip.length]?.has(state ?? '')
  if (zip === '' || !fits) return text
  return extension === undefined ? whole : `${whole}-${extension.padStart(4, '0')}`
}

const HYPHENED = /^([1-9]\d{2,3}|\d{5})(?:-(\d{1,4}))?$/
const NINE_DIGITS = /^([1-9]\d{2,3}|\d{5})(\d{4})$/

/** By the number of digits that are left. `AE`: Armed Forces Europe. */
const STATES_WITH_ZERO: Readonly<Record<number, ReadonlySet<string>>> = {
  3: new Set(['PR', 'VI']),
  4: new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VI', 'VT', 'AE']),
}

/** Two of a tax office in Holtsville, and Fishers Island, which Connecticut serves. */
const NEW_YORK_WITH_ZERO: ReadonlySet<string> = new Set(['NY 00501', 'NY 00544', 'NY 06390'])
