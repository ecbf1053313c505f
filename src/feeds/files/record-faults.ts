import { InvalidData, REASON_LENGTH_MAX } from '../rejections.ts'

/** Characters for the faults of a row; the rest of a reason says where they are. */
const LENGTH_MAX = REASON_LENGTH_MAX - 40

/** The faults of one record: the first of each field, in the order in which the fields are read. */
export class RecordFaults {
  readonly #byField = new Map<string, string>()

  /** The result of `read`; undefined, and a fault of the field, if it throws `InvalidData`. */
  collect<T>(field: string, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof InvalidData)) throw error
      this.add(field, error.message)
      return undefined
    }
  }

  /** Two fields may have one fault: the time zone of both times. */
  add(field: string, message: string): void {
    const isKnown = this.#byField.has(field) || [...this.#byField.values()].includes(message)
    if (!isKnown) this.#byField.set(field, message)
  }

  /** Throws `InvalidData` with all faults. Those for which a reason has no room are only named. */
  throwAny(): void {
    const fields = [...this.#byField.keys()]
    const messages = [...this.#byField.values()]
    if (messages.length === 0) return
    for (let count = messages.length; count > 0; count--) {
      const left = fields.slice(count)
      const named = left.length === 0 ? '' : `; also invalid: ${left.join(', ')}`
      const text = messages.slice(0, count).join('; ')
      if (count === 1) throw new InvalidData(`${text.slice(0, Math.max(100, LENGTH_MAX - named.length))}${named}`)
      if (text.length + named.length <= LENGTH_MAX) throw new InvalidData(text + named)
    }
  }
}
