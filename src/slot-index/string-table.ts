/**
 * Reference-counted strings with dense numbers from 1, so that they can be counted in a flat array; 0 means none. Numbers
 * are reused.
 */
export class StringTable {
  readonly #texts: string[] = ['']
  readonly #numbers = new Map<string, number>()
  readonly #references: number[] = [0]
  readonly #free: number[] = []

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.#texts.length
  }

  /** The text of a number in use. */
  textOf(number: number): string {
    return this.#texts[number]
  }

  /** Adds a reference to a text and returns its number. */
  retain(text: string | undefined): number {
    if (text === undefined) return 0
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#free.pop() ?? this.#texts.length
      this.#numbers.set(text, number)
      this.#texts[number] = text
      this.#references[number] = 0
    }
    this.#references[number]++
    return number
  }

  /** Removes a reference; the last one frees the number. */
  release(number: number): void {
    if (number === 0 || --this.#references[number] > 0) return
    this.#numbers.delete(this.#texts[number])
    this.#texts[number] = ''
    this.#free.push(number)
  }
}
