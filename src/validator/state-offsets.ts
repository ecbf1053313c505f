import { TimeZone } from '../lib/time-zone.ts'

/**
 * The offsets from UTC, in minutes, of local time in a state: one if the state has one time zone, several if it has more,
 * because a location does not say in which it lies. Empty for a state without known zones.
 */
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

/** As an instant has it: `-05:00`. */
export function formatOffset(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** A zone with the states that use it, in whole or in part; after the tz database. */
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
