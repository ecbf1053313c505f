import { runAtOnce, STEP_MASK, type Steps } from '../../lib/steps.ts'

/** Texts with dense numbers from 1, so that they can be counted in a flat array; 0 means none. Numbers are never reused. */
export class TextTable {
  readonly #texts: string[] = ['']
  /** Of the first texts: a thread that only reads most tables does without. */
  readonly #numbers = new Map<string, number>()

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.#texts.length
  }

  textOf(number: number): string {
    return this.#texts[number]
  }

  /** The texts from a number on, in the order of their numbers. */
  from(number: number): string[] {
    return this.#texts.slice(number)
  }

  /** Undefined if the text is not in the table. */
  find(text: string): number | undefined {
    if (this.#numbers.size + 1 < this.end) runAtOnce(this.prepareFind())
    return this.#numbers.get(text)
  }

  /** Does what the next `find()` would do without a pause. */
  *prepareFind(): Steps<void> {
    for (let number = this.#numbers.size + 1; number < this.end; number++) {
      this.#numbers.set(this.#texts[number], number)
      if ((number & STEP_MASK) === 0) yield
    }
  }

  *findByPrefix(prefix: string): Steps<number[]> {
    const found: number[] = []
    for (let number = 1; number < this.end; number++) {
      if (this.#texts[number].startsWith(prefix)) found.push(number)
      if ((number & STEP_MASK) === 0) yield
    }
    return found
  }

  /** The number of a text, which is added. */
  add(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.find(text)
    if (known !== undefined) return known
    const number = this.end
    this.append(text)
    // All before it are entered, since they have been searched.
    this.#numbers.set(text, number)
    return number
  }

  /** Adds a text that is not in the table. */
  append(text: string): void {
    this.#texts.push(text)
  }
}
