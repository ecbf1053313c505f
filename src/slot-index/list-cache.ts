// Hot path
import type { PostingList } from './posting-list.ts'

/** In rows of four bytes: 16 MiB. */
const WEIGHT_MAX = 4 * 1024 * 1024
/** What a list weighs beside its rows and its name, which callers can make long. */
const OVERHEAD_WEIGHT = 64

/** Lists by name, up to a weight: the oldest are forgotten for the newest. */
export class ListCache {
  readonly #lists = new Map<string, PostingList>()
  readonly #weightMax: number
  #weight = 0

  constructor(weightMax = WEIGHT_MAX) {
    this.#weightMax = weightMax
  }

  /** How many lists are remembered. */
  get size(): number {
    return this.#lists.size
  }

  find(name: string): PostingList | undefined {
    return this.#lists.get(name)
  }

  /** Remembers a list under a name that has none yet. */
  add(name: string, list: PostingList): void {
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
