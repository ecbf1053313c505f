/** Durations in milliseconds. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A duration in the largest unit of which it has two: `1 minute`, `90 minutes`, `3 hours`, `2 days`; at least a minute. */
export function formatDuration(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Whether a time is of a clock that was ahead and has been set back: nothing is to wait until it. Clocks of nodes differ by less. */
export function isAhead(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + MINUTE_MS
}

/** Whether a duration has passed since a time; also if that time is of a clock that was ahead. */
export function hasPassed(
  ms: number,
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): boolean {
  return nowMs - sinceMs >= ms || isAhead(sinceMs, nowMs)
}
