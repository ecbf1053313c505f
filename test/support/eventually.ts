import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any condition takes on a slow, busy machine: no test may rely on it. */
const PATIENCE_MS = 120_000

/**
 * Polls until the result is neither false nor undefined, and returns it. Rejects after two minutes. Only for conditions
 * without an event or a promise to await.
 */
export async function eventually<T>(ask: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(10)) {
    const answer = await ask()
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>
    if (Date.now() > deadline) throw new Error('Cannot wait longer: it must have come within 2 minutes')
  }
}
