// Hot path
import type { PostingList } from './posting-list.ts'

/** In rows of four bytes: 16 MiB. */
const WEIGHT_MAX = 4 * 1024 * 1024
/** Fixed weight of an entry besides its rows and its name, whose length callers control. */
const OVERHEAD_WEIGHT = 64

/** A FIFO cache of lists by name, bounded by weight. */
export class ListCache {
  readonly #lists = new Map<string, PostingList>()
  readonly #weightMax: number
  #weight = 0

  constructor(weightMax = WEIGHT_MAX) {
    this.#weightMax = weightMax
  }

  /** Number of cached lists. */
  get size(): number {
    return this.#lists.size
  }

  find(name: string): PostingList | undefined {
    return this.#lists.get(name)
  }

  /** Caches a list. Two queries may have built the same list in turns: the first one stays. */
  add(name: string, list: PostingList): void {
    if (this.#lists.has(name)) return
    this.#lists.set(name, list)
    this.#weight += weightOf(name, list)
    for (const [oldest, other] of this.#lists) {
      if (this.#weight <= this.#weightMax) return
      this.#lists.delete(oldest)
      this.#weight -= weightOf(oldest, other)
    }
  }
}

function weightOf(name: string, list: PostingList): number {
  return OVERHEAD_WEIGHT + name.length + list.length
}
