import { DAY_MS } from '../lib/time.ts'
import { parseRfc3339 } from '../slot/instant.ts'
import { UsageFault } from './command.ts'

/** Beyond it, a `Date` cannot be written with four digits of the year. */
const LAST_MS = Date.UTC(9999, 11, 31)

/**
 * When a key expires, in milliseconds since 1970: the instant that was given, or for a date without a time the end of
 * that day in UTC, so that a key "until 2027-01-31" still works on that day. Throws `UsageFault` unless it is to come.
 */
export function parseExpiry(text: string, nowMs: number): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  const ms = isDate ? parseRfc3339(`${text}T00:00:00Z`) : parseRfc3339(text)
  const expiresAtMs = ms !== undefined && isDate ? ms + DAY_MS : ms
  if (expiresAtMs !== undefined && expiresAtMs > nowMs && expiresAtMs <= LAST_MS) return expiresAtMs
  throw new UsageFault(
    `Cannot use --expires: it must be a date to come (2030-01-31) or an instant to come (2030-01-31T12:00:00Z): got "${text}"`,
  )
}
