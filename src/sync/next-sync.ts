import { DAY_MS, MINUTE_MS } from '../lib/time.ts'

/** No publisher is asked more often than this, whatever anybody wishes. */
export const EVERY_MS_MIN = MINUTE_MS

/** A publisher may silence us for a day, not for a year by a wrong header. */
export const PUBLISHER_WAIT_MS_MAX = DAY_MS

/** The pause after the first, second, … failure in a row: 1, 2, 5, 10, 30, 60 minutes; the last one then stays. */
export const BACK_OFF_MS = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS)

/**
 * Added to the wait: a cache on the way keeps an answer for `max-age` from when it got it, which is a little after it was asked
 * for. Who comes too early gets the old answer, and comes back only after another `max-age`.
 */
const UNDERWAY_MS = 500

/** Between two syncs of a feed that takes longer to read than it stays fresh. */
const REST_MS = 10_000

/**
 * When to ask again after a sync that did not fail, from when it was begun: by the operator's interval, or else the publisher's
 * `max-age`, or else the default. The publisher's `max-age` is obeyed even where the operator's interval is shorter.
 */
export function nextSyncAt(
  { startedAtMs, finishedAtMs }: { startedAtMs: number; finishedAtMs: number },
  wishes: { everyMs?: number | undefined; maxAgeMs?: number | undefined; everyMsDefault: number },
): number {
  const maxAgeMs = Math.min(wishes.maxAgeMs ?? 0, PUBLISHER_WAIT_MS_MAX)
  const everyMs = wishes.everyMs ?? (wishes.maxAgeMs === undefined ? wishes.everyMsDefault : maxAgeMs)
  const waitMs = Math.max(everyMs, maxAgeMs, EVERY_MS_MIN)
  return Math.max(startedAtMs + waitMs + UNDERWAY_MS, finishedAtMs + REST_MS)
}

/**
 * When to try again after the `failures`-th failure in a row (from 1): the back-off series give or take 10 %, so that
 * sources which failed together do not come back together; later if the publisher asked for it by Retry-After.
 *
 * `random` is from 0 to below 1.
 */
export function nextTryAt(
  failedAtMs: number,
  failure: { failures: number; retryAfterMs?: number | undefined },
  random: number,
): number {
  const step = Math.min(failure.failures, BACK_OFF_MS.length) - 1
  const backOffMs = Math.round(BACK_OFF_MS[Math.max(step, 0)] * (0.9 + 0.2 * random))
  const askedMs = Math.min(failure.retryAfterMs ?? 0, PUBLISHER_WAIT_MS_MAX)
  return failedAtMs + Math.max(backOffMs, askedMs, EVERY_MS_MIN)
}
