/**
 * The zones in which a state, territory or province can be, else those of its country, else none. `state` is the code of a slot's
 * place: "MA", "CA-ON", "DE-BE".
 */
export function zonesOf(state: string): readonly string[] {
  return ZONES_OF.get(state) ?? ZONES_OF.get(/^[A-Z]{2}-/.exec(state)?.[0] ?? '') ?? []
}

export const MAINLAND_ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']

/** The zones of each state, territory and Canadian province since 2007, the usual one first where their clocks agree at times. */
const STATES_OF: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV',
  'America/Chicago': 'AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI',
  'America/Phoenix': 'AZ',
  'America/Denver': 'AZ CO ID KS MT ND NE NM NV OR SD TX UT WY',
  'America/Los_Angeles': 'CA ID NV OR WA',
  'America/Anchorage': 'AK',
  'America/Adak': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR VI',
  'Pacific/Guam': 'GU MP',
  'Pacific/Pago_Pago': 'AS',
  'Pacific/Palau': 'PW',
  'Pacific/Majuro': 'MH',
  'Pacific/Chuuk': 'FM',
  'Pacific/Pohnpei': 'FM',
  'America/Toronto': 'CA-ON CA-QC CA-NU',
  'America/Winnipeg': 'CA-MB CA-NU CA-ON',
  'America/Regina': 'CA-SK',
  'America/Edmonton': 'CA-AB CA-NT CA-BC CA-NU CA-SK',
  'America/Vancouver': 'CA-BC',
  'America/Whitehorse': 'CA-YT',
  'America/Halifax': 'CA-NB CA-NS CA-PE CA-NL CA-QC',
  'America/St_Johns': 'CA-NL',
}

/** The zones of countries, by the beginning of an ISO 3166-2 code. */
const COUNTRIES_OF: Readonly<Record<string, string>> = {
  'Europe/London': 'GB',
  'Europe/Dublin': 'IE',
  'Atlantic/Reykjavik': 'IS',
  'Europe/Lisbon': 'PT',
  'Atlantic/Azores': 'PT',
  'Europe/Berlin': 'AD AL AT BA BE CH CZ DE DK ES FR HR HU IT LI LU MC ME MK MT NL NO PL RS SE SI SK SM VA',
  'Atlantic/Canary': 'ES',
  'Europe/Athens': 'BG CY EE FI GR LT LV MD RO UA',
  'Asia/Kolkata': 'IN',
  'Asia/Tokyo': 'JP',
  'Asia/Singapore': 'SG',
  'Australia/Sydney': 'AU',
  'Australia/Adelaide': 'AU',
  'Australia/Brisbane': 'AU',
  'Australia/Darwin': 'AU',
  'Australia/Perth': 'AU',
  'Pacific/Auckland': 'NZ',
  'Africa/Johannesburg': 'ZA',
}

const ZONES_OF = new Map<string, string[]>()
for (const [zone, states] of Object.entries(STATES_OF)) for (const state of states.split(' ')) put(state, zone)
for (const [zone, countries] of Object.entries(COUNTRIES_OF))
  for (const country of countries.split(' ')) put(`${country}-`, zone)

function put(place: string, zone: string): void {
  ZONES_OF.set(place, [...(ZONES_OF.get(place) ?? []), zone])
}
