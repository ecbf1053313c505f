import { setTimeout as pause } from 'node:timers/promises'
import type { LogEvent } from './log-event.ts'

/**
 * The pause before the first, second, … try in a row; the last one then stays. Short, because nodes find the way back at
 * different times: what one of them then lets a person do, the others are to hear of within a second.
 */
const AGAIN_MS = [100, 200, 400]

/** What the log says of something that is away, and of its return. */
export const awayMessage = (name: string) => `${name} was away`
export const backMessage = (name: string) => `${name} was back`

/** What is waited for, and who hears of it. */
export interface Waiting {
  /** What is away, in the messages of the log: "store". */
  readonly name: string
  /** True for what is thrown while it is away; everything else is thrown on. */
  isAway(thrown: unknown): boolean
  onEvent(event: LogEvent): void
  readonly signal: AbortSignal
}

/**
 * Does something again and again until what it needs is there, and tells once when it is away and once when it is back.
 * Undefined if aborted meanwhile.
 */
export async function untilThere<T>(act: () => Promise<T>, waiting: Waiting): Promise<T | undefined> {
  for (let tries = 0; !waiting.signal.aborted; tries++) {
    try {
      const result = await act()
      if (tries > 0) tell(waiting, 'info', backMessage(waiting.name), { tries })
      return result
    } catch (thrown) {
      if (waiting.signal.aborted) return undefined
      if (!waiting.isAway(thrown)) throw thrown
      if (tries === 0) tell(waiting, 'warn', awayMessage(waiting.name), { error: messageOf(thrown) })
    }
    const ms = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]
    await pause(ms, undefined, { signal: waiting.signal }).catch(() => undefined)
  }
  return undefined
}

function tell(waiting: Waiting, level: LogEvent['level'], message: string, fields: LogEvent['fields']): void {
  waiting.onEvent({ level, message, fields })
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
