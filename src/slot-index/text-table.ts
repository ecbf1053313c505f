import { STEP_MASK, type Steps } from '../lib/steps.ts'

/** Texts with dense numbers from 1, so that they can be counted in a flat array; 0 means none. Numbers are never reused. */
export class TextTable {
  readonly #texts: string[] = ['']
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
    return this.#numbers.get(text)
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
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }
}
