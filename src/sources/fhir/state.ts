/**
 * The two-letter code of a state, district, territory or military region, from its code, name or old abbreviation, in
 * any case. Undefined for all else: a code that we do not know could not be asked for.
 */
export function stateCode(text: string): string | undefined {
  const plain = text.replaceAll('.', '').replace(/\s+/g, ' ').trim().toUpperCase()
  const iso = plain.startsWith('US-') ? plain.slice(3) : plain
  return CODES.has(iso) ? iso : BY_NAME.get(iso)
}

const NAMES =
  'AL Alabama,Ala|AK Alaska|AZ Arizona,Ariz|AR Arkansas,Ark|CA California,Calif,Cal|CO Colorado,Colo|' +
  'CT Connecticut,Conn|DE Delaware,Del|DC District of Columbia,Washington DC,D C|FL Florida,Fla|GA Georgia|HI Hawaii|' +
  'ID Idaho|IL Illinois,Ill|IN Indiana,Ind|IA Iowa|KS Kansas,Kan,Kans|KY Kentucky,Ken|LA Louisiana|ME Maine|' +
  'MD Maryland|MA Massachusetts,Mass|MI Michigan,Mich|MN Minnesota,Minn|MS Mississippi,Miss|MO Missouri|' +
  'MT Montana,Mont|NE Nebraska,Neb,Nebr|NV Nevada,Nev|NH New Hampshire,N H|NJ New Jersey,N J|' +
  'NM New Mexico,N M,N Mex|NY New York,N Y|NC North Carolina,N C,N Car|ND North Dakota,N D,N Dak|OH Ohio|' +
  'OK Oklahoma,Okla|OR Oregon,Ore,Oreg|PA Pennsylvania,Penn,Penna|RI Rhode Island,R I|SC South Carolina,S C,S Car|' +
  'SD South Dakota,S D,S Dak|TN Tennessee,Tenn|TX Texas,Tex|UT Utah|VT Vermont|VA Virginia,Virg|' +
  'WA Washington,Wash|WV West Virginia,W Va,WVa|WI Wisconsin,Wis,Wisc|WY Wyoming,Wyo|AS American Samoa|GU Guam|' +
  'MP Northern Mariana Islands|PR Puerto Rico,P R|VI Virgin Islands,US Virgin Islands,U S Virgin Islands|' +
  'FM Federated States of Micronesia|MH Marshall Islands|PW Palau|AA|AE|AP'

const ROWS = NAMES.split('|').map((row) => ({ code: row.slice(0, 2), names: row.slice(3).split(',') }))

const CODES: ReadonlySet<string> = new Set(ROWS.map(({ code }) => code))

const BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(({ code, names }) => names.filter(Boolean).map((name) => [name.toUpperCase(), code] as const)),
)
