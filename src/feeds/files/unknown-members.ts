import { asObject, type Json } from '../../lib/json.ts'
import { CSV_COLUMNS, guessColumn, noteOfUnknown, type UnknownColumn } from './csv-columns.ts'

/** Bounds memory for a file with other names in every slot. */
const UNKNOWN_MAX = 100

/** The members of slots in JSON that are no fields: a status under another name would be taken for free. */
export class UnknownMembers {
  readonly #found = new Map<string, UnknownColumn>()

  get note(): string | undefined {
    return noteOfUnknown('members', [...this.#found.values()])
  }

  look(record: Json): void {
    for (const name in record) {
      if (!PARENTS.has(name)) this.#lookAt(name)
      else for (const inner in asObject(record[name])) this.#lookAt(`${name}.${inner}`)
    }
  }

  #lookAt(name: string): void {
    if (FIELDS.has(name) || this.#found.has(name) || this.#found.size >= UNKNOWN_MAX) return
    this.#found.set(name, { head: name, guess: guessColumn(name) })
  }
}

const PARENTS: ReadonlySet<string> = new Set(['location', 'provider'])

/** Those of a table, and those that only JSON has. */
const FIELDS: ReadonlySet<string> = new Set([...CSV_COLUMNS.map(({ name }) => name), 'publisher', 'identifier'])
