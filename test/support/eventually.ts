import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than anything takes on a slow machine that does other things too: no test may lean on it. */
const PATIENCE_MS = 30_000

/**
 * Asks until the answer is neither false nor undefined, and returns it. Rejects after half a minute, which says only that it
 * never came. For what tells nobody that it has happened; where there is an event or a promise, await that.
 */
export async function eventually<T>(ask: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(10)) {
    const answer = await ask()
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>
    if (Date.now() > deadline) throw new Error('Cannot wait longer: it must have come within 30 s')
  }
}
