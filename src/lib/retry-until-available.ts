import { setTimeout as pause } from 'node:timers/promises'
import type { LogEvent } from './log-event.ts'
import { errorMessage } from './text.ts'

/**
 * The pause before the first, second, … retry; the last one repeats. Short, because the nodes of a cluster reconnect at
 * different times, and a change that one of them accepts must reach the others within a second.
 */
const PAUSES_MS = [100, 200, 400]

/** The log messages for a dependency that became unavailable, and available again. */
export const unavailableMessage = (name: string) => `${name} became unavailable`
export const availableMessage = (name: string) => `${name} became available`

/** What `retryUntilAvailable` waits for. */
export interface RetryOptions {
  /** The dependency, as log messages name it: "store". */
  readonly name: string
  /** True for errors to retry. Other errors are thrown. */
  isUnavailable(error: unknown): boolean
  onEvent(event: LogEvent): void
  readonly signal: AbortSignal
}

/**
 * Retries a task until the dependency is available. Logs the first failure and the recovery, once each.
 * Undefined if aborted.
 */
export async function retryUntilAvailable<T>(
  task: () => Promise<T>,
  { name, isUnavailable, onEvent, signal }: RetryOptions,
): Promise<T | undefined> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      const result = await task()
      if (tries > 0) onEvent({ level: 'info', message: availableMessage(name), fields: { tries } })
      return result
    } catch (error) {
      if (signal.aborted) return undefined
      if (!isUnavailable(error)) throw error
      const fields = { error: errorMessage(error) }
      if (tries === 0) onEvent({ level: 'warn', message: unavailableMessage(name), fields })
    }
    const ms = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]
    await pause(ms, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}
