import { setImmediate } from 'node:timers/promises'

/**
 * Resolves in the next turn of the event loop, after other work of the thread. A loop of queries needs it, too: SQLite responds within
 * microtasks, which would starve the other requests.
 */
export function nextTurn(): Promise<void> {
  return setImmediate()
}
