import { setTimeout as pause } from 'node:timers/promises'
import type { LogEvent } from '../lib/log-event.ts'
import { StoreUnavailable } from './contracts/store.ts'

/**
 * The pause before the first, second, … retry; the last one repeats. Short, because the nodes of a cluster reconnect at
 * different times, and a change that one of them accepts must reach the others within a second.
 */
const PAUSES_MS = [100, 200, 400]

/** The log messages for a store that became unavailable, and available again. */
export const STORE_UNAVAILABLE = 'store became unavailable'
export const STORE_AVAILABLE = 'store became available'

interface RetryOptions {
  readonly signal: AbortSignal
  /** Absent where another loop of the thread logs the same. */
  onEvent?(event: LogEvent): void
}

/**
 * Retries a task until the store is available. Logs the first failure and the recovery, once each. Undefined if aborted.
 * Throws other errors than `StoreUnavailable`.
 */
export async function retryUntilAvailable<T>(
  task: () => Promise<T>,
  { signal, onEvent }: RetryOptions,
): Promise<T | undefined> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      const result = await task()
      if (tries > 0) onEvent?.({ level: 'info', message: STORE_AVAILABLE, fields: { tries } })
      return result
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof StoreUnavailable)) throw error
      if (tries === 0) onEvent?.({ level: 'warn', message: STORE_UNAVAILABLE, fields: { error: error.message } })
    }
    const ms = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]
    await pause(ms, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}
