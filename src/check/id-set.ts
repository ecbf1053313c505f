import { hash } from 'node:crypto'

/** So many ids are told apart: 64 MB. */
export const IDS_MAX = 2 ** 21

/**
 * Texts that were met, as 96 bits of their hash: open addressing, at most half full, 32 bytes a text. Once it is full it
 * takes no more, and says of every new text that it was not met.
 */
export class IdSet {
  readonly #max: number
  #table = new Float64Array(2 * 1024)
  #size = 0
  #isOverfull = false

  constructor(max = IDS_MAX) {
    this.#max = max
  }

  /** True once a text came that could not be taken: from then on new texts are not told apart. */
  get isOverfull(): boolean {
    return this.#isOverfull
  }

  /** False if the text was there before. */
  add(text: string): boolean {
    const bytes = hash('sha256', text, 'binary')
    // Zero stands for an empty place.
    const first = sixBytes(bytes, 0) + 1
    const second = sixBytes(bytes, 6)
    const at = this.#placeOf(first, second)
    if (this.#table[at] !== 0) return false
    if (this.#size >= this.#max) {
      this.#isOverfull = true
      return true
    }
    this.#table[at] = first
    this.#table[at + 1] = second
    this.#size++
    if (this.#size * 4 > this.#table.length) this.#grow()
    return true
  }

  /** Where it is, or where it belongs. */
  #placeOf(first: number, second: number): number {
    const table = this.#table
    const places = table.length / 2
    let place = second % places
    while (table[2 * place] !== 0 && (table[2 * place] !== first || table[2 * place + 1] !== second)) {
      place = (place + 1) % places
    }
    return 2 * place
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Float64Array(before.length * 2)
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] === 0) continue
      const place = this.#placeOf(before[at], before[at + 1])
      this.#table[place] = before[at]
      this.#table[place + 1] = before[at + 1]
    }
  }
}

function sixBytes(bytes: string, from: number): number {
  let value = 0
  for (let at = from; at < from + 6; at++) value = value * 256 + bytes.charCodeAt(at)
  return value
}
