import { STEP_MASK, type Steps } from './steps.ts'

/** Binary min-heap of numbers: as many as are needed in their order, without sorting all. */
export class Heap {
  readonly #numbers: Uint32Array
  readonly #isBefore: (a: number, b: number) => boolean
  #length: number

  private constructor(numbers: Uint32Array, isBefore: (a: number, b: number) => boolean) {
    this.#numbers = numbers
    this.#isBefore = isBefore
    this.#length = numbers.length
  }

  /** Takes the numbers, which are overwritten. O(n). */
  static *of(numbers: Uint32Array, isBefore: (a: number, b: number) => boolean): Steps<Heap> {
    const heap = new Heap(numbers, isBefore)
    for (let at = (numbers.length >>> 1) - 1; at >= 0; at--) {
      heap.#sink(at)
      if ((at & STEP_MASK) === 0) yield
    }
    return heap
  }

  get length(): number {
    return this.#length
  }

  /** Removes the first number in the order. The heap must not be empty. O(log n). */
  pop(): number {
    const numbers = this.#numbers
    const first = numbers[0]
    this.#length--
    numbers[0] = numbers[this.#length]
    this.#sink(0)
    return first
  }

  #sink(from: number): void {
    const numbers = this.#numbers
    const number = numbers[from]
    let at = from
    for (let child = 2 * at + 1; child < this.#length; child = 2 * at + 1) {
      if (child + 1 < this.#length && this.#isBefore(numbers[child + 1], numbers[child])) child++
      if (!this.#isBefore(numbers[child], number)) break
      numbers[at] = numbers[child]
      at = child
    }
    numbers[at] = number
  }
}
