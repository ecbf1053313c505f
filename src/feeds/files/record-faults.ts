import { InvalidData, REASON_LENGTH_MAX } from '../rejections.ts'

/** Characters for the faults of a row; the rest of a reason says where they are. */
const LENGTH_MAX = REASON_LENGTH_MAX - 40

/** The faults of one record: the first of each field, in the order in which the fields are read. */
export class RecordFaults {
  readonly #byField = new Map<string, Fault>()

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

  /** Two fields may have one fault: the time zone of both times. `guess`: the value that is probably meant. */
  add(field: string, message: string, guess?: string): void {
    const isKnown = this.#byField.has(field) || [...this.#byField.values()].some((fault) => fault.message === message)
    if (isKnown) return
    this.#byField.set(field, { field, message, guess: guess === undefined ? '' : ` (did you mean ${guess}?)` })
  }

  /** Throws `InvalidData` with all faults. Those for which a reason has no room are only named, with the guess. */
  throwAny(): void {
    const faults = [...this.#byField.values()]
    const [first] = faults
    if (first === undefined) return
    for (let count = faults.length; count > 0; count--) {
      const text = faults.slice(0, count).map(({ message, guess }) => message + guess)
      const reason = text.join('; ') + namesOf(faults.slice(count))
      if (reason.length <= LENGTH_MAX) throw new InvalidData(reason)
    }
    const rest = first.guess + namesOf(faults.slice(1))
    throw new InvalidData(first.message.slice(0, Math.max(100, LENGTH_MAX - rest.length)) + rest)
  }
}

interface Fault {
  readonly field: string
  readonly message: string
  /** Empty without a guess. */
  readonly guess: string
}

function namesOf(faults: readonly Fault[]): string {
  return faults.length === 0 ? '' : `; also invalid: ${faults.map(({ field, guess }) => field + guess).join(', ')}`
}
