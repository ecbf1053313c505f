import { truncate } from '../../lib/text.ts'
import { FeedFailure } from '../connector.ts'

/** A publisher answered, and did not give what it was asked for. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly retryAfterMs: number | undefined

  /** `words`: what the answer said of it, of any length. */
  constructor(status: number, words: string | undefined, retryAfterMs: number | undefined) {
    super(`status must be 200: got "${status}"${words === undefined ? '' : ` (${truncate(words, 300)})`}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The status that a reading failed by; undefined if it failed by anything else. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof FeedFailure && error.cause instanceof Refused ? error.cause.status : undefined
}
