import type { SlotsError } from './slots-error.ts'

const PASSING_STATUSES = [429, 502, 503, 504]
const FIRST_MS = 250
const MOST_MS = 10_000

/**
 * How long to wait before the next attempt, in milliseconds; undefined if another one would help nothing.
 *
 * Up to 250, 500, 1000 … 10 000, of which any part (full jitter), so that callers who failed together do not come together again.
 * `Retry-After` is waited for in full, and the jitter comes on top of it.
 *
 * @param attempt how many have failed before this one
 * @param random from 0 to 1
 */
export function backOffMs(error: SlotsError, attempt: number, random: number): number | undefined {
  const { kind, status = 0, retryAfterMs = 0 } = error
  const passes = kind === 'network' || kind === 'timeout' || PASSING_STATUSES.includes(status)
  return passes ? retryAfterMs + random * Math.min(MOST_MS, FIRST_MS * 2 ** attempt) : undefined
}

/** Resolves after so many milliseconds; rejects with the signal's reason as soon as that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
