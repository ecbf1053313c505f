import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time.ts'

/** The pause after the first, second, … failed attempt of an event; then the last one. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
]

/** A pause is longer or shorter by up to a fifth, so that events that failed together are not repeated together. */
export const RETRY_JITTER = 0.2

/** A receiver that asks for more is tried earlier. */
export const RETRY_AFTER_MS_MAX = 12 * HOUR_MS

/** How long a subscription may fail without a success before it is disabled; and one that is not verified yet. */
export const FAILING_MS_MAX = 72 * HOUR_MS
export const UNVERIFIED_MS_MAX = DAY_MS

/** The pause before the next attempt, after so many (at least one); as long as the receiver asks for. `random` is from 0 to 1. */
export function retryPauseMs(attempts: number, random: number, retryAfterMs = 0): number {
  const pauseMs = RETRY_PAUSES_MS[Math.min(attempts, RETRY_PAUSES_MS.length) - 1]
  const variedMs = Math.round(pauseMs * (1 + RETRY_JITTER * (2 * random - 1)))
  return Math.max(variedMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX))
}
