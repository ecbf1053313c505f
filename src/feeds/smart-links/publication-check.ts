import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '../../lib/time.ts'
import { httpStatusOf } from '../http/request.ts'

/** Identifies the text of a manifest. */
export function contentOf(text: string): string {
  return hash('sha256', text)
}

/** A validator that never changes would hide every change, so requests are unconditional once a day. */
export function mayUseValidators(unconditionalAtMs: number, nowMs: number): boolean {
  const ageMs = nowMs - unconditionalAtMs
  return ageMs >= 0 && ageMs < DAY_MS
}

/** Publishers that write the time of each response into it do so by the second. */
const CLOCK_MS = 1100

/**
 * Asks for the manifest once more after its files were read. True if it has changed: files of two publications may be mixed. A manifest
 * that differs in every response, by the time or by signed URLs, tells nothing, and neither does a publisher that limits requests.
 *
 * `before`: undefined for a 304. `ask`: its text now; undefined for a 304.
 */
export async function wasReplaced(
  before: string | undefined,
  ask: () => Promise<string | undefined>,
): Promise<boolean> {
  try {
    const after = await ask()
    if (after === undefined || after === before) return false
    await sleep(CLOCK_MS)
    const later = await ask()
    return later === undefined || later === after
  } catch (error) {
    // The files were read: failing would repeat all requests, and end at the same limit.
    if (httpStatusOf(error) === TOO_MANY_REQUESTS) return false
    throw error
  }
}

const TOO_MANY_REQUESTS = 429
