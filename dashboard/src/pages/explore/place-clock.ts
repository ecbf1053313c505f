/** A clock on a wall: of an IANA time zone, or a fixed offset from UTC in minutes. */
export type Clock = string | number

/**
 * The clock at a slot's place: the zone of its state, if the state has one or the published offset tells which; else the offset as
 * published. A slot without a state has the publisher's offset, as the zone of the mainland that has it at that time, if any: so that
 * a table names zones in one notation.
 */
export function placeClock(slot: {
  readonly start: string
  readonly location?: { readonly state?: string } | undefined
}): Clock {
  const offset = publishedOffset(slot.start)
  const state = slot.location?.state
  const zones = ZONES_OF.get(state ?? '') ?? []
  const ms = Date.parse(slot.start)
  const [only, ...others] = zones
  const atOffset = (zone: string) => clockOffset(zone, ms) === offset
  if (state === undefined) return MAINLAND_ZONES.find(atOffset) ?? offset
  return zones.find(atOffset) ?? (others.length === 0 ? only : undefined) ?? offset
}

/** The visitor's clock. */
export function visitorClock(): Clock {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Minutes that a clock is ahead of UTC at an instant. */
export function clockOffset(clock: Clock, ms: number): number {
  if (typeof clock === 'number') return clock
  const name = partsOf(ms, { locale: 'en-US', timeZone: clock, timeZoneName: 'longOffset' })
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name) ?? ['', '+', '0', '0']
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** A time as a clock shows it, in the visitor's language. */
export function formatByClock(ms: number, clock: Clock, options: Intl.DateTimeFormatOptions): string {
  if (typeof clock === 'string') return new Date(ms).toLocaleString(undefined, { ...options, timeZone: clock })
  return new Date(ms + clock * 60_000).toLocaleString(undefined, { ...options, timeZone: 'UTC' })
}

/** The name of a clock at an instant: "HST", or "GMT-5" of an offset. */
export function clockName(ms: number, clock: Clock): string {
  if (typeof clock === 'string') return partsOf(ms, { timeZone: clock, timeZoneName: 'short' })
  if (clock === 0) return 'UTC'
  const [hours, minutes] = [Math.floor(Math.abs(clock) / 60), Math.abs(clock) % 60]
  return `GMT${clock < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
}

/** The offset of an RFC 3339 time in minutes. */
function publishedOffset(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? ['', '+', '0', '0']
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) || 0
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The name of a zone. Formats are kept: each takes some 50 µs to make. */
function partsOf(ms: number, options: Intl.DateTimeFormatOptions & { readonly locale?: string }): string {
  const key = `${options.timeZone} ${options.timeZoneName}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(options.locale, options)
  formats.set(key, format)
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** The zones of each state and territory since 2007, the usual one first where their clocks agree at times. */
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
}

const MAINLAND_ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']

const ZONES_OF = new Map<string, string[]>()
for (const [zone, states] of Object.entries(STATES_OF))
  for (const state of states.split(' ')) ZONES_OF.set(state, [...(ZONES_OF.get(state) ?? []), zone])
