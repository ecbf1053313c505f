import { STEP_MASK, type Steps } from './steps.ts'

/** Binary min-heap: returns values in their order, as many as are needed, without sorting all. */
export class Heap<Value> {
  readonly #values: Value[]
  readonly #isBefore: (a: Value, b: Value) => boolean

  private constructor(values: Value[], isBefore: (a: Value, b: Value) => boolean) {
    this.#values = values
    this.#isBefore = isBefore
  }

  /** O(n). */
  static *of<Value>(values: Iterable<Value>, isBefore: (a: Value, b: Value) => boolean): Steps<Heap<Value>> {
    const heap = new Heap([...values], isBefore)
    for (let at = (heap.length >>> 1) - 1; at >= 0; at--) {
      heap.#sink(at)
      if ((at & STEP_MASK) === 0) yield
    }
    return heap
  }

  get length(): number {
    return this.#values.length
  }

  /** The first value in the order. The heap must not be empty, as for the other operations. */
  get first(): Value {
    return this.#values[0]
  }

  /** Removes the first value. O(log n). */
  pop(): Value {
    const { first } = this
    const last = this.#values.pop()
    if (last !== undefined && this.length > 0) {
      this.#values[0] = last
      this.#sink(0)
    }
    return first
  }

  /** Restores the order after the first value has changed. O(log n). */
  reorderFirst(): void {
    this.#sink(0)
  }

  #sink(from: number): void {
    const values = this.#values
    const value = values[from]
    let at = from
    for (let child = 2 * at + 1; child < values.length; child = 2 * at + 1) {
      if (child + 1 < values.length && this.#isBefore(values[child + 1], values[child])) child++
      if (!this.#isBefore(values[child], value)) break
      values[at] = values[child]
      at = child
    }
    values[at] = value
  }
}
