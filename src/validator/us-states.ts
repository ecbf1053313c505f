import { TimeZone } from '../lib/time-zone.ts'

/** The states of each first digit of a ZIP code (USPS), including those served from a neighboring state. */
const STATES_BY_ZIP_DIGIT: readonly string[] = [
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

/** False if the first digit of the ZIP code is not used in the state. */
export function mayHaveZip(state: string, zip: string): boolean {
  const states = STATES_BY_ZIP_DIGIT[Number(zip[0])] ?? ''
  // Military addresses use codes of New York, Florida and California.
  return states.includes(state) || /^A[AEP]$/.test(state)
}

/** The UTC offsets in minutes that are in use in a state, one per time zone; empty for a state without known zones. */
export function offsetsInUse(state: string, atMs: number): readonly number[] {
  return (ZONES_BY_STATE.get(state) ?? []).map((zone) => zone.offsetMinutes(atMs))
}

/** The offset of an RFC 3339 text in minutes; `Z` is 0. */
export function offsetMinutesOf(instant: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(instant) ?? []
  if (sign === undefined) return 0
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -total : total
}

/** The offset as in RFC 3339: `-05:00`. */
export function formatOffset(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Time zones with the states that use them, wholly or partly (tz database). */
const ZONES: readonly (readonly [zone: string, states: string])[] = [
  ['America/New_York', 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV'],
  ['America/Chicago', 'AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI'],
  ['America/Denver', 'AZ CO ID KS MT ND NE NM NV OR SD TX UT WY'],
  ['America/Phoenix', 'AZ'],
  ['America/Los_Angeles', 'CA ID NV OR WA'],
  ['America/Anchorage', 'AK'],
  ['America/Adak', 'AK'],
  ['Pacific/Honolulu', 'HI'],
  ['America/Puerto_Rico', 'PR VI'],
  ['Pacific/Guam', 'GU MP'],
  ['Pacific/Pago_Pago', 'AS'],
  ['Pacific/Palau', 'PW'],
  ['Pacific/Majuro', 'MH'],
  ['Pacific/Chuuk', 'FM'],
  ['Pacific/Pohnpei', 'FM'],
]

const ZONES_BY_STATE = new Map<string, TimeZone[]>()
for (const [name, states] of ZONES) {
  const zone = new TimeZone(name)
  for (const state of states.split(' ')) {
    const zones = ZONES_BY_STATE.get(state)
    if (zones === undefined) ZONES_BY_STATE.set(state, [zone])
    else zones.push(zone)
  }
}
