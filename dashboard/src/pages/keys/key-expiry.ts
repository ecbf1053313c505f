import { DAY_MS } from '../../../../src/lib/time.ts'

const YEARS_MAX = 10

/** How long a new key is to live: as long as the one before, for ever, so many days, or until the end of a day that is chosen. */
export const LIFETIMES = ['same', 'never', '30', '90', '365', 'date'] as const
export type Lifetime = (typeof LIFETIMES)[number]

/** What the form holds. `date` is `YYYY-MM-DD`, empty unless a day is to be chosen. */
export interface KeyExpiry {
  readonly lifetime: Lifetime
  readonly date: string
}

/** When such a key ends, as the API takes it: null for never, undefined for as long as the one before. */
export function expiryTime(expiry: KeyExpiry, nowMs: number): number | null | undefined {
  if (expiry.lifetime === 'same') return undefined
  if (expiry.lifetime === 'never') return null
  return expiry.lifetime === 'date' ? endOfDay(expiry.date) : nowMs + Number(expiry.lifetime) * DAY_MS
}

/** What is wrong with the day that was chosen, or null. */
export function expiryError({ lifetime, date }: KeyExpiry, nowMs = Date.now()): string | null {
  if (lifetime !== 'date') return null
  const endMs = endOfDay(date)
  if (Number.isNaN(endMs)) return 'Choose a day'
  if (endMs <= nowMs) return 'Choose a day that is not over yet'
  return endMs > nowMs + YEARS_MAX * 365 * DAY_MS ? `Choose a day within the next ${YEARS_MAX} years` : null
}

/** The midnight after it, in the visitor's zone. NaN for a text that is no day. */
function endOfDay(date: string): number {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(year, month - 1, day + 1).getTime()
}
