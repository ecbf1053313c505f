import { HOUR_MS } from '../../lib/time.ts'

/**
 * The offsets from UTC, in minutes, that clocks in a state show at a moment: one where the state has one time zone, several
 * where it has more, for nobody knows in which of them a place lies. Empty for a state whose zones are not known.
 */
export function offsetsInUse(state: string, atMs: number): readonly number[] {
  return (ZONES_BY_STATE.get(state) ?? []).map((zone) => offsetOf(zone, atMs))
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

const ZONES_BY_STATE = new Map<string, string[]>()
for (const [zone, states] of ZONES) {
  for (const state of states.split(' '))
    ZONES_BY_STATE.set(state, [...(ZONES_BY_STATE.get(state) ?? []), zone])
}

/** To ask the tz database takes 10 µs, and a feed asks for the same thousand hours again and again. */
const KNOWN_MAX = 50_000
const known = new Map<string, number>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Clocks change on the hour, at least since 1970. */
function offsetOf(zone: string, atMs: number): number {
  const hour = Math.floor(atMs / HOUR_MS)
  const key = `${zone} ${hour}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= KNOWN_MAX) known.clear()
  const offset = askOffset(zone, hour * HOUR_MS)
  known.set(key, offset)
  return offset
}

function askOffset(zone: string, atMs: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return offsetMinutesOf(name)
}
