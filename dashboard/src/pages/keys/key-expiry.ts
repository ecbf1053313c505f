import { DAY_MS } from '../../../../src/lib/time.ts'
import { now } from '../../api/now.ts'

const YEARS_MAX = 10

/** How long a key lives: unchanged, as long as the old key, forever, a number of days from now, or until the end of a chosen day. */
const LIFETIMES = ['keep', 'same', 'never', '30', '90', '365', 'date'] as const
export type Lifetime = (typeof LIFETIMES)[number]

/** The form's value. `date` is `YYYY-MM-DD`, and empty unless `lifetime` is `date`. */
export interface KeyExpiry {
  readonly lifetime: Lifetime
  readonly date: string
}

/** The expiry for the API: null for never, undefined for an unchanged one or the lifetime of the old key. */
export function expiryTime(expiry: KeyExpiry, nowMs: number): number | null | undefined {
  if (expiry.lifetime === 'same' || expiry.lifetime === 'keep') return undefined
  if (expiry.lifetime === 'never') return null
  return expiry.lifetime === 'date' ? endOfDay(expiry.date) : nowMs + Number(expiry.lifetime) * DAY_MS
}

/** Why the chosen date is invalid, or null. */
export function expiryError({ lifetime, date }: KeyExpiry, nowMs = now()): string | null {
  if (lifetime !== 'date') return null
  const endMs = endOfDay(date)
  if (Number.isNaN(endMs)) return 'Choose a date'
  if (endMs <= nowMs) return 'Choose today or a later date'
  return endMs > nowMs + YEARS_MAX * 365 * DAY_MS ? `Choose a date within the next ${YEARS_MAX} years` : null
}

/** The end of a day in the visitor's zone. NaN for an invalid date. */
function endOfDay(date: string): number {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(year, month - 1, day + 1).getTime()
}
