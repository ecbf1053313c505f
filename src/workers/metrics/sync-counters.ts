import type { LogEvent } from '../../lib/log-event.ts'

/** How syncs ended: as `SyncOutcome` says, or `broken` where the store or we ourselves failed. */
export type SyncEnding = 'ok' | 'partial' | 'held' | 'failed' | 'broken'

const ENDINGS: ReadonlySet<unknown> = new Set<SyncEnding>(['ok', 'partial', 'held', 'failed'])

/** Messages of the scheduler that tell of a sync which came to no outcome. */
const BROKEN = new Set(['sync was cut off', 'sync broke down'])

/** Counts how the syncs of this node ended, from what its sync thread tells. */
export class SyncTally {
  readonly #counts = new Map<string, Map<SyncEnding, number>>()

  hear({ message, fields: { source, outcome } }: LogEvent): void {
    if (typeof source !== 'string') return
    if (BROKEN.has(message)) this.#count(source, 'broken')
    else if (ENDINGS.has(outcome)) this.#count(source, outcome as SyncEnding)
  }

  *counts(): Iterable<{ source: string; ending: SyncEnding; count: number }> {
    for (const [source, endings] of this.#counts) {
      for (const [ending, count] of endings) yield { source, ending, count }
    }
  }

  #count(source: string, ending: SyncEnding): void {
    const endings = this.#counts.get(source) ?? new Map<SyncEnding, number>()
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
    this.#counts.set(source, endings)
  }
}
