// Hot path
import type { Steps } from '../../lib/steps.ts'
import { beginOf, placeFrom } from '../sorted-lists.ts'
import type { CircleTest } from './offering-positions.ts'
import type { OfferingTable } from './offering-table.ts'
import { intersects, isWithin, type TermBitmaps } from './term-bitmaps.ts'

/** Of some 60 bytes each. */
const KNOWN_MAX = 16_384
/** So many offerings of a term are looked at one by one; those of other terms are compared as bits. */
const LISTED_MAX = 256
/** Offerings of a term that are tested by a circle: some 50 microseconds, sooner than those of a usual circle are found. */
export const TESTED_MAX = 4096
/** A prime above that reaches each offering; neighbors, which often are at one place, come long after each other. */
const TESTED_STRIDE = 7919
const TERMS_MAX = 2 ** 26

/** How many of some offerings match. */
type Share = 'all' | 'none' | 'some'

/** How many of the offerings of a term with a number below `end` have another one, too. If only some have it, no more need be looked at. */
interface Known {
  readonly end: number
  readonly having: Share
}

/**
 * Finds terms that another term implies: all offerings of a city are in one state, so the posting list of the city answers both filters,
 * and no lists have to be intersected; and terms that no offering has together, so that no list has to be read. What was found is kept:
 * offerings only come on top. Circles that a term implies are found for each query.
 */
export class ImpliedTerms {
  readonly #offerings: OfferingTable
  readonly #bitmaps: TermBitmaps
  /** By both terms. */
  readonly #known = new Map<number, Known>()

  constructor(offerings: OfferingTable, bitmaps: TermBitmaps) {
    this.#offerings = offerings
    this.#bitmaps = bitmaps
  }

  /** Terms that are all required, without those that the rarest implies; undefined if no offering has the rarest and another one. */
  *leaveOut(terms: readonly number[]): Steps<readonly number[] | undefined> {
    if (terms.length < 2) return terms
    const rarest = this.#offerings.rarestOf(terms)
    const left: number[] = []
    for (const term of terms) {
      const having = term === rarest ? 'some' : yield* this.#having(rarest, term)
      if (having === 'none') return undefined
      if (having === 'some') left.push(term)
    }
    return left
  }

  /**
   * How many of the offerings that have all terms are in a circle: 'all' or 'none' only if the rarest term has few. Tests them in an
   * order in which two that differ come soon.
   */
  shareInside(test: CircleTest, terms: readonly number[]): Share {
    const rarest = this.#offerings.rarestOf(terms)
    if (this.#offerings.countWith(rarest) > TESTED_MAX) return 'some'
    let share: Share | undefined
    for (const list of this.#offerings.withTerm(rarest)) {
      for (let n = 0, at = 0; n < list.length; n++, at = (at + TESTED_STRIDE) % list.length) {
        const found = test.has(list[at]) === 1 ? 'all' : 'none'
        share ??= found
        if (found !== share) return 'some'
      }
    }
    return share ?? 'none'
  }

  /** How many of the offerings of a term have another one. */
  *#having(rarest: number, term: number): Steps<Share> {
    const { end } = this.#offerings
    const name = rarest * TERMS_MAX + term
    const known = this.#known.get(name)
    if (known !== undefined && (known.end === end || known.having === 'some')) return known.having
    const isListed = this.#offerings.countWith(rarest) <= LISTED_MAX
    const having = isListed ? this.#lookAt(rarest, term, known) : yield* this.#compare(rarest, term)
    if (this.#known.size === KNOWN_MAX) this.#known.clear()
    this.#known.set(name, { end, having })
    return having
  }

  /** Looks at the offerings of the rarest term that are new. */
  #lookAt(rarest: number, term: number, known: Known | undefined): Share {
    let having = known?.having
    for (const list of this.#offerings.withTerm(rarest)) {
      for (let at = placeFrom(list, known?.end ?? 0); at < list.length; at++) {
        const found = this.#has(list[at], term) ? 'all' : 'none'
        having ??= found
        if (found !== having) return 'some'
      }
    }
    return having ?? 'none'
  }

  *#compare(rarest: number, term: number): Steps<Share> {
    const own = yield* this.#bitmaps.union([rarest])
    const others = yield* this.#bitmaps.union([term])
    if (!intersects(own, others)) return 'none'
    return isWithin(own, others) ? 'all' : 'some'
  }

  #has(offering: number, term: number): boolean {
    const { terms, ends } = this.#offerings.groups
    for (let at = beginOf(ends, offering); at < ends[offering]; at++) if (terms[at] === term) return true
    return false
  }
}
