import { SLOW_MS } from '../store/contracts/sources.ts'

/** So many times its places may the slow lane hold of those that turned out slow. */
const CROWD_MAX = 4

/** A lane, and how many of its places are free. */
export interface LaneRoom {
  readonly slow: boolean
  readonly places: number
}

/**
 * The places in which sources are read at once: as many for the quick as for the slow, so that neither large feeds nor
 * publishers that drip can hold up all others.
 *
 *     quick   those whose last sync was over within `SLOW_MS`
 *     slow    the others, and who turned out slow in the quick lane: that one moves, and its place is free
 *
 * Who moves into a full slow lane makes it fuller, up to four times its places; while it is over-full, none begins in it. So a
 * publisher takes a quick place for ten seconds, and after that none as long as it is slow.
 */
export class SyncLanes {
  readonly #places: number
  readonly #quick = new Map<string, number>()
  readonly #slow = new Set<string>()

  constructor(places: number) {
    this.#places = places
  }

  /** The lanes that have room, the quick one first. */
  room(nowMs: number): LaneRoom[] {
    this.#moveSlow(nowMs)
    return [
      { slow: false, places: this.#places - this.#quick.size },
      { slow: true, places: this.#places - this.#slow.size },
    ].filter(({ places }) => places > 0)
  }

  enter(slug: string, { slow, nowMs }: { slow: boolean; nowMs: number }): void {
    if (slow) this.#slow.add(slug)
    else this.#quick.set(slug, nowMs)
  }

  leave(slug: string): void {
    this.#quick.delete(slug)
    this.#slow.delete(slug)
  }

  #moveSlow(nowMs: number): void {
    for (const [slug, startedAtMs] of this.#quick) {
      if (nowMs - startedAtMs < SLOW_MS || this.#slow.size >= this.#places * CROWD_MAX) continue
      this.#quick.delete(slug)
      this.#slow.add(slug)
    }
  }
}
