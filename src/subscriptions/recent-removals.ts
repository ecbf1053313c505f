import { MINUTE_MS } from '../lib/time.ts'
import type { ChangeLogEntry } from '../store/contracts/change-log.ts'

/** A slot that returns within this time never went. */
export const FLAP_MS = 10 * MINUTE_MS

/** Bound of memory: about 20 MB. Of more removals, the oldest are forgotten. */
const REMOVALS_MAX = 200_000

/** The slots that were removed in the last ten minutes of the change log, in order of removal. */
export class RecentRemovals {
  readonly #removed = new Map<string, { readonly key: number; readonly atMs: number }>()

  /** Follows a row of the log. Returns the key of the removed version of a slot that returns. */
  follow({ phase, id, key, changed }: ChangeLogEntry, committedAtMs: number): number | undefined {
    if (changed) return undefined
    const removed = this.#removed.get(id)
    this.#removed.delete(id)
    if (phase === 'inserted')
      return removed !== undefined && committedAtMs - removed.atMs <= FLAP_MS ? removed.key : undefined
    this.#removed.set(id, { key, atMs: committedAtMs })
    this.#trim(committedAtMs - FLAP_MS)
    return undefined
  }

  #trim(beforeMs: number): void {
    for (const [id, { atMs }] of this.#removed) {
      if (atMs >= beforeMs && this.#removed.size <= REMOVALS_MAX) return
      this.#removed.delete(id)
    }
  }
}
