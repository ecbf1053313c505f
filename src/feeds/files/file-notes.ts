import type { FileFormat } from './file-format.ts'

/** Nobody reads more. */
const NOTES_MAX = 20

/** What was found out about a file beside its slots, for whoever brought it. */
export class FileNotes {
  format: FileFormat | undefined
  /** Resources that slots refer to. */
  resources = 0
  readonly #sentences = new Set<string>()
  readonly #passedOver = new Map<string, number>()

  /** What was assumed, and what looks wrong without being a fault of a line: a sentence each. */
  get sentences(): readonly string[] {
    const types = [...this.#passedOver].map(([type, count]) => `${count} ${type}`)
    const passedOver =
      types.length > 0 ? [`Passed over, for slots do not need them: ${types.join(', ')}.`] : []
    return [...this.#sentences, ...passedOver]
  }

  add(sentence: string): void {
    if (this.#sentences.size < NOTES_MAX) this.#sentences.add(sentence)
  }

  /** A resource of a type that slots do not need. */
  passOver(type: string): void {
    const name = /^[A-Z][A-Za-z]{1,60}$/.test(type) && this.#canCount(type) ? type : 'others'
    this.#passedOver.set(name, (this.#passedOver.get(name) ?? 0) + 1)
  }

  #canCount(type: string): boolean {
    return this.#passedOver.has(type) || this.#passedOver.size < NOTES_MAX
  }
}
