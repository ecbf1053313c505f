// Hot path
import { beginOf, placeIn } from '../sorted-lists.ts'

/** The terms of each offering: those of offering n are `terms` [ends[n-1], ends[n]). */
export interface OfferingTerms {
  readonly terms: Uint32Array
  readonly ends: Uint32Array
  /** Exclusive upper bound of the terms. */
  readonly termsEnd: number
}

/** The values of offerings by which the rows of a run are grouped. */
export interface OfferingGroups extends OfferingTerms {
  /** By offering: see `cellOf()`. */
  readonly cells: Uint32Array
}

/** The offerings that have each term: ascending numbers, one list behind the other in shared memory. */
export interface TermOfferings {
  /** Those that any of the offerings has, ascending. */
  readonly terms: Uint32Array
  /** Where the offerings of each of them end. */
  readonly ends: Uint32Array
  readonly offerings: Uint32Array
}

/** Lists the offerings [from, to): two passes over their terms. */
export function listByTerm({ terms, ends, termsEnd }: OfferingTerms, from: number, to: number): TermOfferings {
  const [first, last] = [beginOf(ends, from), beginOf(ends, to)]
  const places = new Uint32Array(termsEnd)
  for (let at = first; at < last; at++) places[terms[at]]++
  const distinct = places.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  const lists = {
    terms: new Uint32Array(new SharedArrayBuffer(distinct * 4)),
    ends: new Uint32Array(new SharedArrayBuffer(distinct * 4)),
    offerings: new Uint32Array(new SharedArrayBuffer((last - first) * 4)),
  }
  for (let term = 0, place = 0, end = 0; term < termsEnd; term++) {
    const begin = end
    end += places[term]
    if (end === begin) continue
    lists.terms[place] = term
    lists.ends[place++] = end
    // From here on, where the next offering of the term is written.
    places[term] = begin
  }
  for (let offering = from, at = first; offering < to; offering++)
    for (; at < ends[offering]; at++) lists.offerings[places[terms[at]]++] = offering
  return lists
}

/** The offerings of a term; empty if none has it. */
export function offeringsOf({ terms, ends, offerings }: TermOfferings, term: number): Uint32Array {
  const place = placeIn(terms, term)
  if (place === -1) return NO_OFFERINGS
  return offerings.subarray(beginOf(ends, place), ends[place])
}

const NO_OFFERINGS = new Uint32Array(0)
