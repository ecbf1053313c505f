import { hash } from 'node:crypto'
import { closestWord } from '../../lib/edit-distance.ts'
import { asObject, asText, got, IN_QUOTES, isInexact, type Json } from '../../lib/json.ts'
import { defined } from '../../lib/optional.ts'
import type { Offering } from '../../slot/slot.ts'
import { contactOf } from '../fhir/location.ts'
import { isRemote } from '../fhir/service-mode.ts'
import type { InvalidData } from '../rejections.ts'
import { boundedOffering, usableOffering } from '../slot-bounds.ts'
import type { RecordFaults } from './record-faults.ts'

/**
 * Reads the fields of one record by name, as JSON types or spreadsheet texts: `3` and `"3"`, `true` and `"yes"`,
 * `["a","b"]` and `"a | b"`. An absent field, null and blank text are equivalent. An invalid value is undefined, and a fault
 * that names the field.
 */
export class RecordFields {
  readonly #record: Json
  /** Prefix of names in messages: `location.`. */
  readonly #path: string
  readonly faults: RecordFaults

  constructor(record: Json, faults: RecordFaults, path = '') {
    this.#record = record
    this.faults = faults
    this.#path = path
  }

  /** The fields of a nested object; empty if it is absent. */
  within(name: string): RecordFields {
    const value = this.#record[name]
    const object = asObject(value ?? {})
    if (object === undefined) this.wrong(name, 'an object')
    return new RecordFields(object ?? {}, this.faults, `${this.#path}${name}.`)
  }

  raw(name: string): unknown {
    const value = this.#record[name]
    return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value
  }

  text(name: string, lengthMax = 2000): string | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const text = asText(value)
    if (text !== undefined && text.length <= lengthMax) return text
    return this.wrong(name, isInexact(value) ? IN_QUOTES : `a text of at most ${lengthMax} characters`)
  }

  /** `parse` returns undefined for an invalid text; a fault names the closest of `words`. */
  parsed<T>(
    name: string,
    must: string,
    parse: (text: string) => T | undefined,
    words: readonly string[] = [],
  ): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    return parse(text) ?? this.wrong(name, must, words)
  }

  /** At most 20 values. Splits texts at `|` and line breaks, and at `; ` if every part is valid. */
  list<T>(
    name: string,
    must: string,
    parse: (text: string) => T | undefined,
    words: readonly string[] = [],
  ): readonly T[] | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const written: unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(/[|\n]/).flatMap((part) => partsOf(part, parse))
        : [value]
    if (written.some((one) => typeof one === 'object' && one !== null)) return this.wrong(name, must)
    const parts = written.map(asText).filter((text) => text !== undefined)
    const values = parts.map(parse).filter((one) => one !== undefined)
    if (values.length < parts.length) return this.wrong(name, must, words)
    if (values.length > LIST_MAX) return this.wrong(name, `at most ${LIST_MAX}`)
    const distinct = [...new Set(values)]
    return distinct.length > 0 ? distinct : undefined
  }

  truth(name: string): boolean | undefined {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'boolean') return value
    const truth = TRUTHS.get(asText(value)?.trim().toLowerCase() ?? '')
    return truth ?? this.wrong(name, 'true or false (or yes, no, 1, 0)')
  }

  number(name: string, min: number, max: number): number | undefined {
    const value = this.raw(name)
    if (value === undefined) return undefined
    const text = typeof value === 'string' ? value.trim() : undefined
    const number = text !== undefined && NUMBER.test(text) ? Number(text.replace(',', '.')) : value
    if (typeof number === 'number' && number >= min && number <= max) return number
    return this.wrong(name, `a number from ${min} to ${max}`)
  }

  /** Adds a fault of a field, with the closest of `words` if the value differs from it by a typo. */
  wrong(name: string, must: string, words: readonly string[] = []): undefined {
    const field = `${this.#path}${name}`
    const value = this.#record[name]
    const meant = typeof value === 'string' ? closestWord(value, words) : undefined
    this.faults.add(field, `${field} must be ${must}: ${got(value)}`, meant)
  }
}

const LIST_MAX = 20

/** CSV exports of `/v1` join values with `; `, but a phone number may contain it: `617-555-0142; ext 5`. */
function partsOf(text: string, parse: (text: string) => unknown): readonly string[] {
  const parts = text.split(/;\s+/)
  const isEachOne = parts.every((part) => {
    const plain = asText(part)
    return plain !== undefined && parse(plain) !== undefined
  })
  return isEachOne ? parts : [text]
}

/** Every form in which programs write a coordinate: with up to 17 significant digits, `-0.12775829999999999` or `9.1E-05`. */
const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,25})?(?:E-\d{1,3})?$/i

/** English, then German, French, Spanish, Italian, Portuguese and Dutch. */
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...'wahr vrai verdadero vero verdadeiro waar ja oui sí si sì sim'.split(' ').map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
  ...'falsch faux falso onwaar nein non não nee'.split(' ').map((word) => [word, false] as const),
])

/** The fields of an offering without its publisher and schedule. */
export type Offered = {
  readonly [K in keyof Omit<Offering, 'publisher' | 'scheduleId' | 'isVirtual'>]: Offering[K] | undefined
} & { readonly isVirtual: boolean }

/** A file has a few per location; the limit bounds memory for a file with different texts in every row. */
const OFFERINGS_MAX = 20_000

/** Interns offerings: neighboring slots with equal fields share one object. */
export class Offerings {
  readonly #publisher: string
  readonly #known = new Map<string, Offering | InvalidData>()

  constructor(publisher: string) {
    this.#publisher = publisher
  }

  /**
   * Without a schedule id, slots with the same service, location and provider share a schedule. Throws `InvalidData` if it
   * is too large.
   */
  share(scheduleId: string | undefined, offered: Offered): Offering {
    const key = JSON.stringify([scheduleId, offered])
    const known = this.#known.get(key)
    if (known !== undefined) return usableOffering(known)
    if (this.#known.size >= OFFERINGS_MAX) this.#known.clear()
    const offering = boundedOffering({
      publisher: this.#publisher,
      scheduleId: scheduleId ?? nameOf(offered),
      isVirtual: offered.isVirtual,
      ...defined({ ...offered, ...placeOf(offered) }),
    })
    this.#known.set(key, offering)
    return usableOffering(offering)
  }
}

/** A slot that is virtual only has no address; the state of an address is one where it is offered. */
function placeOf({ modalities, location = {}, serviceStates = [] }: Offered): Partial<Offered> {
  if (!isRemote(modalities)) return {}
  const states = new Set([...serviceStates, ...(location.state === undefined ? [] : [location.state])])
  return { location: contactOf(location), serviceStates: states.size > 0 ? [...states].sort() : undefined }
}

/** A hash of stable fields: the id of a slot depends on its schedule, so optional fields must not change it. */
function nameOf({ location = {}, provider = {}, serviceTypeCode, serviceTypeText }: Offered): string {
  const place = [location.name, location.addressLine, location.city, location.state, location.postalCode]
  const parts = [...place, provider.name, provider.npi, serviceTypeCode, serviceTypeText]
  return hash('sha256', JSON.stringify(parts)).slice(0, 16)
}
