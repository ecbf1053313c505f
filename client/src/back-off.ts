import type { SlotsError } from './slots-error.ts'

const TRANSIENT_STATUSES = [429, 502, 503, 504]
const FIRST_MS = 250
const MOST_MS = 10_000
/** Longer timers fire at once: 25 days. */
export const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * The delay before the next attempt, in milliseconds; undefined if the error is not transient. Exponential backoff with full jitter: up
 * to 250, 500, 1000 … 10 000, in addition to `Retry-After`.
 *
 * @param attempt the number of failed attempts before this one
 * @param random from 0 to 1
 */
export function backOffMs(error: SlotsError, attempt: number, random: number): number | undefined {
  const { kind, status = 0, retryAfterMs = 0 } = error
  const isTransient = kind === 'network' || kind === 'timeout' || TRANSIENT_STATUSES.includes(status)
  return isTransient ? retryAfterMs + random * Math.min(MOST_MS, FIRST_MS * 2 ** attempt) : undefined
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason once it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const end = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, TIMER_MS_MAX))
    signal?.addEventListener('abort', stop, { once: true })
  })
}
