/**
 * Texts by numbers from 1, so that whoever counts them does so in a flat array; 0 stands for none. A number is taken again once
 * nobody refers to its text.
 */
export class StringTable {
  readonly #texts: string[] = ['']
  readonly #numbers = new Map<string, number>()
  readonly #references: number[] = [0]
  readonly #free: number[] = []

  /** Numbers are below this. */
  get end(): number {
    return this.#texts.length
  }

  /** The text of a number that somebody refers to. */
  textOf(number: number): string {
    return this.#texts[number]
  }

  /** One more refers to a text; returns its number. */
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

  /** One fewer refers to it; with the last one it goes. */
  release(number: number): void {
    if (number === 0 || --this.#references[number] > 0) return
    this.#numbers.delete(this.#texts[number])
    this.#texts[number] = ''
    this.#free.push(number)
  }
}
