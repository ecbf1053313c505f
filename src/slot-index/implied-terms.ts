// Hot path
import type { OfferingTable } from './offering-table.ts'
import { beginOf, placeFrom } from './runs/posting-lists.ts'

/** Of some 60 bytes each. */
const KNOWN_MAX = 16_384
/** Offerings that are looked at by one query: some 300 microseconds. Further queries go on. */
const LOOKED_AT_MAX = 16_384
const TERMS_MAX = 2 ** 26

/** Whether all offerings with a number below `end` that have one term have another one, too; if not, nothing more need be looked at. */
interface Known {
  readonly end: number
  readonly isImplied: boolean
}

/**
 * Finds terms that another term implies: all offerings of a city are in one state, so the posting list of the city answers both filters,
 * and no lists have to be intersected. What was found is kept: offerings only come on top.
 */
export class ImpliedTerms {
  readonly #offerings: OfferingTable
  /** By both terms. */
  readonly #known = new Map<number, Known>()

  constructor(offerings: OfferingTable) {
    this.#offerings = offerings
  }

  /** Terms that are all required, without those that the rarest implies. */
  leaveOut(terms: readonly number[]): readonly number[] {
    if (terms.length < 2) return terms
    const rarest = terms.reduce((a, b) => (this.#offerings.countWith(b) < this.#offerings.countWith(a) ? b : a))
    return terms.filter((term) => term === rarest || !this.#implies(rarest, term))
  }

  #implies(rarest: number, term: number): boolean {
    const { end } = this.#offerings
    const name = rarest * TERMS_MAX + term
    const known = this.#known.get(name)
    if (known !== undefined && (known.end === end || !known.isImplied)) return known.isImplied
    const looked = this.#lookAt(rarest, term, known?.end ?? 0)
    if (this.#known.size === KNOWN_MAX) this.#known.clear()
    this.#known.set(name, looked)
    return looked.isImplied && looked.end === end
  }

  /** Looks at the next offerings of the rarest term. */
  #lookAt(rarest: number, term: number, from: number): Known {
    let left = LOOKED_AT_MAX
    for (const list of this.#offerings.withTerm(rarest)) {
      for (let at = placeFrom(list, from); at < list.length; at++) {
        if (left-- === 0) return { end: list[at], isImplied: true }
        if (!this.#has(list[at], term)) return { end: list[at], isImplied: false }
      }
    }
    return { end: this.#offerings.end, isImplied: true }
  }

  #has(offering: number, term: number): boolean {
    const { terms, ends } = this.#offerings.groups
    for (let at = beginOf(ends, offering); at < ends[offering]; at++) if (terms[at] === term) return true
    return false
  }
}
