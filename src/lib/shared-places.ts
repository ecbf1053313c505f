import { KeyedCounts } from './keyed-counts.ts'

/** Frees a place. Call it once. */
export type Release = () => void

/** Places for requests, of which each owner can take a share. */
export class SharedPlaces {
  readonly #max: number
  readonly #perOwnerMax: number
  readonly #owners = new KeyedCounts()
  #taken = 0

  constructor(max: number, perOwnerMax: number) {
    this.#max = max
    this.#perOwnerMax = perOwnerMax
  }

  /** Undefined if all places, or those of the owner, are taken. */
  take(owner: string): Release | undefined {
    if (this.#taken >= this.#max || this.#owners.countOf(owner) >= this.#perOwnerMax) return undefined
    this.#taken++
    this.#owners.add(owner)
    return () => {
      this.#taken--
      this.#owners.remove(owner)
    }
  }
}
