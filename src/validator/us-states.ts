import { TimeZone } from '../lib/time-zone.ts'

/** The first three digits of the ZIP codes of each state (USPS Domestic Mail Manual, L002). Ranges include digits that are not in use. */
const ZIP_PREFIXES =
  'AA 340|AE 090-098|AK 995-999|AL 350-369|AP 962-966|AR 716-729|AS 967|AZ 850-865|CA 900-961|CO 800-816|CT 060-069|' +
  'DC 200-205 569|DE 197-199|FL 320-349|FM 969|GA 300-319 398-399|GU 969|HI 967-968|IA 500-528|ID 832-838|IL 600-629|' +
  'IN 460-479|KS 660-679|KY 400-427|LA 700-714|MA 010-027 055|MD 205-219|ME 039-049|MH 969|MI 480-499|MN 550-567|' +
  'MO 630-658|MP 969|MS 386-397|MT 590-599|NC 270-289|ND 580-588|NE 680-693|NH 030-038|NJ 070-089|NM 870-884|' +
  'NV 889-898|NY 005 063 100-149|OH 430-459|OK 730-749|OR 970-979|PA 150-196|PR 006-009|PW 969|RI 028-029|SC 290-299|' +
  'SD 570-577|TN 370-385|TX 733 739 750-799 885|UT 840-847|VA 201 205 220-246|VI 008|VT 050-059|WA 980-994|' +
  'WI 530-549|WV 247-268|WY 820-831 834'

const PREFIXES_BY_STATE = new Map(
  ZIP_PREFIXES.split('|').map((row) => {
    const [state, ...ranges] = row.split(' ')
    return [state, ranges.map((range) => range.split('-'))]
  }),
)

/** False if no ZIP code of the state begins with the same three digits. */
export function mayHaveZip(state: string, zip: string): boolean {
  const prefix = zip.slice(0, 3)
  const ranges = PREFIXES_BY_STATE.get(state) ?? []
  return ranges.some(([from, to = from]) => from <= prefix && prefix <= to)
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
