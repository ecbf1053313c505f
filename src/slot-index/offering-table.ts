// Hot path
import type { Steps } from '../lib/steps.ts'
import { hashText } from '../lib/text.ts'
import { filterValuesOf, serviceTypesOf, specialtiesOf } from '../slot/filter-values.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import { encodeOffering, type Offering } from '../slot/slot.ts'
import { Column } from './column.ts'
import { GeoGrid } from './geo-grid.ts'
import { HashIndex } from './hash-index.ts'
import { type OfferingTerms, placeFrom } from './runs/posting-lists.ts'
import { isPlaceTerm, lookupsOf, term, termsOf } from './term-names.ts'
import { TermOfferings } from './term-offerings.ts'
import { TextTable } from './text-table.ts'

/** Offerings as they are sent between threads, in memory that they share. */
export interface PackedOfferings {
  readonly count: number
  /** For each offering its `encodeOffering()`, then JSON of its details, if it has any. */
  readonly memory: SharedArrayBuffer
  /** Where the first text begins. */
  readonly from: number
  /** Where these two texts end. */
  readonly ends: Uint32Array
}

export function packOfferings(offerings: readonly Offering[]): PackedOfferings {
  const texts = offerings.flatMap((offering) => [
    Buffer.from(encodeOffering(offering)),
    Buffer.from(offering.details === undefined ? '' : JSON.stringify(offering.details)),
  ])
  const ends = new Uint32Array(texts.length)
  const memory = new SharedArrayBuffer(texts.reduce((bytes, text) => bytes + text.length, 0))
  const target = Buffer.from(memory)
  texts.reduce((end, text, n) => {
    ends[n] = end + text.copy(target, end)
    return ends[n]
  }, 0)
  return { count: offerings.length, memory, from: 0, ends }
}

/**
 * The offerings by number, in columns. Numbers are dense and never reused; equal sequences of `put()` give equal numbers in every
 * thread.
 */
export class OfferingTable {
  /** Decimal degrees; NaN without a position. */
  readonly latitudes = new Column(Float64Array)
  readonly longitudes = new Column(Float64Array)
  /** Numbers of texts, by offering: see `actorKeyOf()`. */
  readonly actorOf = new Column(Uint32Array)
  readonly actors = new TextTable()
  /** JSON of all service types: a list of `Coding`. */
  readonly serviceTypeOf = new Column(Uint32Array)
  readonly serviceTypes = new TextTable()
  /** JSON of all specialties as published: a list of texts. */
  readonly specialtyOf = new Column(Uint32Array)
  readonly specialties = new TextTable()
  readonly publisherOf = new Column(Uint32Array)
  readonly publishers = new TextTable()
  /** The term of the state in whose file a feed has the slots: of the location, else the last licensed one. */
  readonly homeOf = new Column(Uint32Array)
  readonly isVirtual = new Column(Uint8Array)
  /** Its place: the set of its terms of states, of modes, and of their pairs. From 1. */
  readonly placeOf = new Column(Uint32Array)
  /** See `termsOf()`. */
  readonly terms = new TextTable()
  readonly withTerm = new TermOfferings()
  /** The terms of all states of offerings; the key undefined is for offerings without a state. Grows during pauses. */
  readonly states = new Map<string | undefined, number>()
  readonly #places = new TextTable()
  readonly #placeTerms = new Column(Uint32Array)
  readonly #placeEnds = new Column(Uint32Array)
  readonly #termNumbers = new Column(Uint32Array)
  readonly #termEnds = new Column(Uint32Array)
  /** Hashes of `lookupsOf()`. */
  readonly #lookups = new HashIndex()
  readonly #lookupEnds = new Column(Uint32Array)
  readonly #grid = new GeoGrid(this.latitudes, this.longitudes)
  readonly #chunks: Buffer[] = []
  /** Four words by offering, in one cache line: the number of a chunk, and where its JSON begins there, and its details begin and end. */
  readonly #textAt = new Column(Uint32Array)
  /** Without meaning: a read whose value is used is not optimized away. */
  touched = 0

  constructor() {
    // There is no place 0.
    this.#placeEnds.push(0)
  }

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.#textAt.length / TEXT_WORDS
  }

  /** Exclusive upper bound of the places. */
  get placesEnd(): number {
    return this.#places.end
  }

  /** The terms of each place: those of place n are `terms` [ends[n-1], ends[n]). Valid until the next `put()`. */
  get placeLists(): OfferingTerms {
    return { terms: this.#placeTerms.values, ends: this.#placeEnds.values, termsEnd: this.terms.end }
  }

  /** The terms of each offering. Valid until the next `put()`. */
  get termLists(): OfferingTerms {
    return { terms: this.#termNumbers.values, ends: this.#termEnds.values, termsEnd: this.terms.end }
  }

  /** Adds offerings, whose numbers follow each other. Yields after each. */
  *put({ count, memory, from, ends }: PackedOfferings): Steps<void> {
    this.#chunks.push(Buffer.from(memory))
    for (let n = 0; n < count; n++) {
      this.#textAt.push(this.#chunks.length - 1)
      this.#textAt.push(n === 0 ? from : ends[n * 2 - 1])
      this.#textAt.push(ends[n * 2])
      this.#textAt.push(ends[n * 2 + 1])
      this.#index(this.end - 1)
      yield
    }
  }

  #index(number: number): void {
    const offering = this.offeringOf(number)
    const values = filterValuesOf(offering)
    const names = termsOf(values)
    for (const name of names) {
      const added = this.terms.add(name)
      this.#termNumbers.push(added)
      this.withTerm.add(added, number)
    }
    this.#termEnds.push(this.#termNumbers.length)
    this.placeOf.push(this.#addPlace(names))
    if (values.states.length === 0) this.states.set(undefined, this.terms.add(term.noState))
    for (const state of values.states) this.states.set(state, this.terms.add(term.state(state)))
    for (const name of lookupsOf(values)) this.#lookups.add(hashText(name))
    this.#lookupEnds.push(this.#lookups.length)
    this.latitudes.push(values.latitude)
    this.longitudes.push(values.longitude)
    this.#grid.add(number)
    this.actorOf.push(this.actors.add(values.actorKey))
    this.serviceTypeOf.push(this.serviceTypes.add(listText(serviceTypesOf(offering))))
    this.specialtyOf.push(this.specialties.add(listText(specialtiesOf(offering))))
    this.publisherOf.push(this.publishers.add(values.publisher))
    const home = offering.location?.state ?? offering.serviceStates?.at(-1)
    this.homeOf.push(this.terms.add(home === undefined ? term.noState : term.state(home)))
    this.isVirtual.push(values.modes.includes('virtual') ? 1 : 0)
  }

  #addPlace(names: readonly string[]): number {
    const terms = names.filter(isPlaceTerm).map((name) => this.terms.add(name))
    const known = this.#places.end
    const place = this.#places.add(terms.join(' '))
    if (place < known) return place
    for (const number of terms) this.#placeTerms.push(number)
    this.#placeEnds.push(this.#placeTerms.length)
    return place
  }

  /** Bytes of an offering's `encodeOffering()`. */
  jsonLengthOf(number: number): number {
    const at = number * TEXT_WORDS
    return this.#textAt.values[at + DETAILS_FROM] - this.#textAt.values[at + JSON_FROM]
  }

  /** Reads the cache lines of an offering's `encodeOffering()`, so that they are near when it is copied. */
  touchJson(number: number): void {
    const { values } = this.#textAt
    const word = number * TEXT_WORDS
    const bytes = this.#chunks[values[word]]
    let sum = 0
    for (let at = values[word + JSON_FROM]; at < values[word + DETAILS_FROM]; at += CACHE_LINE) sum ^= bytes[at]
    this.touched = sum
  }

  /** Copies an offering's `encodeOffering()` and returns the end. */
  copyJson(number: number, target: Buffer, at: number): number {
    const { values } = this.#textAt
    const word = number * TEXT_WORDS
    return at + this.#chunks[values[word]].copy(target, at, values[word + JSON_FROM], values[word + DETAILS_FROM])
  }

  /** An offering with its details. */
  offeringOf(number: number): Offering {
    const word = number * TEXT_WORDS
    const [place, from, middle, to] = this.#textAt.values.subarray(word, word + TEXT_WORDS)
    const chunk = this.#chunks[place]
    // The bytes begin with a comma in place of the opening brace.
    const served = JSON.parse(`{${chunk.toString('utf8', from + 1, middle)}`)
    return middle === to ? served : { ...served, details: JSON.parse(chunk.toString('utf8', middle, to)) }
  }

  /** The states of an offering; empty without any. */
  statesOf(number: number): string[] {
    return this.statesAt(this.placeOf.values[number])
  }

  /** The states of a place. */
  statesAt(place: number): string[] {
    const { terms, ends } = this.placeLists
    const names = Array.from(terms.subarray(ends[place - 1], ends[place]), (number) => this.terms.textOf(number))
    return names.filter(isState).map((name) => name.slice(1))
  }

  /** The offerings that are found by a value of `lookupsOf()`, ascending. Yields after each. */
  *lookUp(name: string): Steps<number[]> {
    const found: number[] = []
    for (const entry of this.#lookups.find(hashText(name))) {
      const number = placeFrom(this.#lookupEnds.values.subarray(0, this.end), entry + 1)
      if (found.at(-1) === number || !lookupsOf(filterValuesOf(this.offeringOf(number))).includes(name)) continue
      found.push(number)
      yield
    }
    return found
  }

  /** The offerings in a circle, in any order. */
  near(circle: GeoRadius): Steps<Uint32Array> {
    return this.#grid.within(circle)
  }
}

const CACHE_LINE = 64

/** Words of `#textAt`: the number of the chunk comes first, and where the details end last. */
const TEXT_WORDS = 4
const JSON_FROM = 1
const DETAILS_FROM = 2

function isState(name: string): boolean {
  return name.startsWith('S') && name !== term.noState && !name.includes(' ')
}

/** Few lists differ, so a list is counted as one text. */
function listText(list: readonly unknown[]): string | undefined {
  return list.length === 0 ? undefined : JSON.stringify(list)
}
