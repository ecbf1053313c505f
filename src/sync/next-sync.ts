import { DAY_MS, MINUTE_MS } from '../lib/time.ts'

/** Minimum interval between two requests to a publisher, whatever the settings. */
const EVERY_MS_MIN = MINUTE_MS

/** Limit for `updateCadence`, `max-age` and Retry-After, so that a wrong header cannot stop syncs for a year. */
const PUBLISHER_WAIT_MS_MAX = DAY_MS

/** The pause after the first, second, … consecutive failure; the last one repeats. */
export const BACK_OFF_MS = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS)

/**
 * Added to the wait: an intermediate cache keeps a response for `max-age` from when it received it, slightly after the request.
 * A request that is too early gets the old response and delays the new one by another `max-age`.
 */
const UNDERWAY_MS = 500

/** Minimum pause between two syncs, for feeds that take longer to read than their interval. */
const REST_MS = 10_000

/**
 * The next sync after a successful one, counted from its start: by the operator's interval, else the publisher's `updateCadence`, else its
 * `max-age`, else the default. A longer `max-age` takes precedence over both.
 */
export function nextSyncAt(
  { startedAtMs, finishedAtMs }: { startedAtMs: number; finishedAtMs: number },
  intervals: {
    everyMs?: number | undefined
    updateCadenceMs?: number | undefined
    maxAgeMs?: number | undefined
    everyMsDefault: number
  },
): number {
  const maxAgeMs = Math.min(intervals.maxAgeMs ?? 0, PUBLISHER_WAIT_MS_MAX)
  const cadenceMs = intervals.updateCadenceMs && Math.min(intervals.updateCadenceMs, PUBLISHER_WAIT_MS_MAX)
  const everyMs =
    intervals.everyMs ?? cadenceMs ?? (intervals.maxAgeMs === undefined ? intervals.everyMsDefault : maxAgeMs)
  const waitMs = Math.max(everyMs, maxAgeMs, EVERY_MS_MIN)
  return Math.max(startedAtMs + waitMs + UNDERWAY_MS, finishedAtMs + REST_MS)
}

/**
 * The next attempt after the `failures`-th consecutive failure (from 1): exponential backoff with 10 % jitter, so that
 * sources that failed together are not retried together; later if the publisher sent Retry-After.
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
  const requestedMs = Math.min(failure.retryAfterMs ?? 0, PUBLISHER_WAIT_MS_MAX)
  return failedAtMs + Math.max(backOffMs, requestedMs, EVERY_MS_MIN)
}
