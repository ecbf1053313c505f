import { asObject, asText, excerpt, type Json } from '../../lib/json.ts'
import { InvalidData } from '../invalid-data.ts'

/**
 * Reads the fields of one record by name, in JSON's types or as a spreadsheet's texts: `3` and `"3"`, `true` and `"yes"`,
 * `["a","b"]` and `"a | b"`. An absent field, null and a blank text are the same. Every method throws `InvalidData`, naming the
 * field, for what is there and cannot be read: whoever wrote it can put it right.
 */
export class RecordFields {
  readonly #record: Json
  /** Stands before names: `location.`. */
  readonly #path: string

  constructor(record: Json, path = '') {
    this.#record = record
    this.#path = path
  }

  /** The fields of an object in a field; without any if it is absent. */
  within(name: string): RecordFields {
    const value = this.#record[name]
    const object = asObject(value ?? {})
    if (object === undefined) throw this.wrong(name, 'an object')
    return new RecordFields(object, `${this.#path}${name}.`)
  }

  raw(name: string): unknown {
    const value = this.#record[name]
    return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value
  }

  text(name: string, lengthMax = 2000): string | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const text = asText(value)
    if (text === undefined || text.length > lengthMax)
      throw this.wrong(name, `a text of at most ${lengthMax} characters`)
    return text
  }

  /** A text that `parse` makes something of. */
  parsed<T>(name: string, must: string, parse: (text: string) => T | undefined): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) throw this.wrong(name, must)
    return value
  }

  /** At most 20; texts are split at `|` and at line breaks, and at `; ` where each part is one of its own. */
  list<T>(name: string, must: string, parse: (text: string) => T | undefined): readonly T[] | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const written: unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(/[|\n]/).flatMap((part) => partsOf(part, parse))
        : [value]
    if (written.some((one) => typeof one === 'object' && one !== null)) throw this.wrong(name, must)
    const parts = written.map(asText).filter((text) => text !== undefined)
    const values = parts.map(parse).filter((one) => one !== undefined)
    if (values.length < parts.length) throw this.wrong(name, must)
    if (values.length > LIST_MAX) throw this.wrong(name, `at most ${LIST_MAX}`)
    const distinct = [...new Set(values)]
    return distinct.length > 0 ? distinct : undefined
  }

  truth(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'boolean') return value
    const truth = TRUTHS.get(asText(value)?.trim().toLowerCase() ?? '')
    if (truth === undefined) throw this.wrong(name, 'true or false (or yes, no, 1, 0)')
    return truth
  }

  number(name: string, min: number, max: number): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const text = typeof value === 'string' ? value.trim() : undefined
    const number = text !== undefined && NUMBER.test(text) ? Number(text.replace(',', '.')) : value
    if (typeof number !== 'number' || !(number >= min && number <= max))
      throw this.wrong(name, `a number from ${min} to ${max}`)
    return number
  }

  wrong(name: string, must: string): InvalidData {
    return new InvalidData(`${this.#path}${name} must be ${must}: got "${excerpt(this.#record[name])}"`)
  }
}

const LIST_MAX = 20

/** Tables that /v1 hands out have `; ` between values, of which a telephone number may hold one: `617-555-0142; ext 5`. */
function partsOf(text: string, parse: (text: string) => unknown): readonly string[] {
  const parts = text.split(/;\s+/)
  const isEachOne = parts.every((part) => {
    const plain = asText(part)
    return plain !== undefined && parse(plain) !== undefined
  })
  return isEachOne ? parts : [text]
}

const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,15})?$/

/** The second lines: as German, French, Spanish, Italian, Portuguese and Dutch spreadsheets and people write it. */
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...'wahr vrai verdadero vero verdadeiro waar ja oui sí si sì sim'
    .split(' ')
    .map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
  ...'falsch faux falso onwaar nein non não nee'.split(' ').map((word) => [word, false] as const),
])
