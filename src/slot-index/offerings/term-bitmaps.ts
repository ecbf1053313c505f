// Hot path

import { lowestBit, popCount } from '../../lib/bits.ts'
import type { Steps } from '../../lib/steps.ts'
import { placeFrom } from '../sorted-lists.ts'
import type { OfferingTable } from './offering-table.ts'

/** Of about 40 kB each. */
const CACHED_MAX = 512

/** Offerings as bits by number, cached by the terms that they have. Offerings only come on top, so a bitmap only grows. */
export class TermBitmaps {
  readonly #offerings: OfferingTable
  readonly #cached = new Map<string, { bits: Uint32Array; end: number }>()

  constructor(offerings: OfferingTable) {
    this.#offerings = offerings
  }

  of(numbers: Uint32Array): Uint32Array {
    const bits = this.#empty()
    for (const number of numbers) bits[number >>> 5] |= 1 << (number & 31)
    return bits
  }

  /** The offerings that have any of some terms. */
  *union(terms: readonly number[]): Steps<Uint32Array> {
    const lists = terms.flatMap((term) => this.#offerings.withTerm(term))
    return yield* this.#extended(terms.join(), function* (bits, from) {
      for (const list of lists) {
        for (let at = placeFrom(list, from); at < list.length; at++) {
          bits[list[at] >>> 5] |= 1 << (list[at] & 31)
          if ((at & LIST_STEP_MASK) === LIST_STEP_MASK) yield
        }
      }
    })
  }

  /** The offerings whose slots last at least so many minutes. */
  *atLeast(minutes: number): Steps<Uint32Array> {
    const { end, durations } = this.#offerings
    return yield* this.#extended(`at least ${minutes}`, function* (bits, from) {
      for (let number = from; number < end; number++) {
        if (durations.of.values[number] >= minutes) bits[number >>> 5] |= 1 << (number & 31)
        if ((number & LIST_STEP_MASK) === LIST_STEP_MASK) yield
      }
    })
  }

  /** Cached bits, to which `add` adds the offerings from a number on. */
  *#extended(name: string, add: (bits: Uint32Array, from: number) => Steps<void>): Steps<Uint32Array> {
    const known = this.#cached.get(name)
    const end = this.#offerings.end
    if (known?.end === end) return known.bits
    const bits = this.#empty()
    if (known !== undefined) bits.set(known.bits)
    yield* add(bits, known?.end ?? 0)
    this.#cached.delete(name)
    this.#cached.set(name, { bits, end })
    if (this.#cached.size > CACHED_MAX) this.#cached.delete(this.#cached.keys().next().value ?? name)
    return bits
  }

  #empty(): Uint32Array {
    return new Uint32Array((this.#offerings.end >>> 5) + 1)
  }
}

/** Some 50 microseconds. */
const LIST_STEP_MASK = 32_767

/** All others. */
export function withoutBits(bits: Uint32Array): Uint32Array {
  return bits.map((word) => ~word)
}

/** The bits of the shorter bitmap that the other has, too. */
export function commonBits(bits: Uint32Array, others: Uint32Array): Uint32Array {
  const common = bits.slice()
  for (let n = 0; n < common.length; n++) common[n] &= others[n]
  return common
}

export function intersects(a: Uint32Array, b: Uint32Array): boolean {
  for (let n = 0; n < a.length; n++) if ((a[n] & b[n]) !== 0) return true
  return false
}

/** Whether all bits of a bitmap are in another one. */
export function isWithin(bits: Uint32Array, others: Uint32Array): boolean {
  for (let n = 0; n < bits.length; n++) if ((bits[n] & ~others[n]) !== 0) return false
  return true
}

export function countBits(bits: Uint32Array): number {
  let count = 0
  for (let n = 0; n < bits.length; n++) count += popCount(bits[n])
  return count
}

/** The numbers of set bits, ascending. */
export function numbersIn(bits: Uint32Array): Uint32Array {
  const numbers: number[] = []
  for (let n = 0; n < bits.length; n++) {
    for (let word = bits[n]; word !== 0; word &= word - 1) numbers.push(n * 32 + lowestBit(word))
  }
  return Uint32Array.from(numbers)
}
