// Hot path
import { STEP_MASK, type Steps } from '../lib/steps.ts'
import { hashText } from '../lib/text.ts'
import { filterValuesOf } from '../slot/filter-values.ts'
import type { GeoRadius } from '../slot/geo-radius.ts'
import type { Offering } from '../slot/slot.ts'
import { Column } from './column.ts'
import { Durations } from './durations.ts'
import { GeoGrid } from './geo-grid.ts'
import { HashIndex } from './hash-index.ts'
import { OfferingPositions } from './offering-positions.ts'
import {
  addTexts,
  ENTRY,
  ENTRY_WORDS,
  OfferingTexts,
  type PackedOfferings,
  packOfferings,
  type TimedOffering,
} from './pack-offerings.ts'
import { beginOf, type OfferingGroups, type OfferingTerms, placeFrom } from './runs/posting-lists.ts'
import { lookupsOf, term } from './term-names.ts'
import { TermOfferings } from './term-offerings.ts'

/**
 * The offerings by number, in columns. Numbers are dense and never reused; equal sequences of `put()` give equal numbers in every
 * thread.
 *
 * All slots of an offering have one duration: see `minutesOf()`. An offering of the store has a number for each duration of its slots;
 * the others differ from the first, their original, in the duration and its terms, and share its texts and lookups.
 */
export class OfferingTable {
  readonly #texts = new OfferingTexts()
  readonly terms = this.#texts.terms
  readonly actors = this.#texts.actors
  readonly serviceTypes = this.#texts.serviceTypes
  readonly specialties = this.#texts.specialties
  readonly publishers = this.#texts.publishers
  readonly positions = new OfferingPositions()
  /** Numbers of texts, by offering: see `ENTRY`. */
  readonly actorOf = new Column(Uint32Array)
  readonly serviceTypeOf = new Column(Uint32Array)
  readonly specialtyOf = new Column(Uint32Array)
  readonly publisherOf = new Column(Uint32Array)
  readonly homeOf = new Column(Uint32Array)
  readonly isVirtual = new Column(Uint8Array)
  /** From 1. */
  readonly placeOf = new Column(Uint32Array)
  readonly durations = new Durations()
  /** Its own number for an original. */
  readonly originalOf = new Column(Uint32Array)
  readonly withTerm = new TermOfferings()
  /** The terms of all states of offerings; the key undefined is for offerings without a state. Grows during pauses. */
  readonly states = new Map<string | undefined, number>()
  readonly #placeTerms = new Column(Uint32Array)
  readonly #placeEnds = new Column(Uint32Array)
  readonly #termNumbers = new Column(Uint32Array)
  readonly #termEnds = new Column(Uint32Array)
  /** Hashes of `lookupsOf()`. */
  readonly #lookups = new HashIndex()
  readonly #lookupEnds = new Column(Uint32Array)
  /** The next offering with the same original; 0 behind the last. */
  readonly #nextOther = new Column(Uint32Array)
  readonly #grid = new GeoGrid(this.positions)
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
    return this.#texts.places.end
  }

  /** The terms of each place: those of place n are `terms` [ends[n-1], ends[n]). Valid until the next `put()`. */
  get placeLists(): OfferingTerms {
    return { terms: this.#placeTerms.values, ends: this.#placeEnds.values, termsEnd: this.terms.end }
  }

  /** The terms and the cell of each offering. Valid until the next `put()`. */
  get groups(): OfferingGroups {
    const { values: cells } = this.positions.cells
    return { terms: this.#termNumbers.values, ends: this.#termEnds.values, termsEnd: this.terms.end, cells }
  }

  /** Packs offerings that are put next. */
  pack(offerings: readonly TimedOffering[]): PackedOfferings {
    return packOfferings(offerings, this.#texts)
  }

  /** Adds offerings, whose numbers follow each other. Yields after each. */
  *put({ count, memory, from, ends, positions, entries, added }: PackedOfferings): Steps<void> {
    yield* addTexts(this.#texts, added, (table, text, number) => {
      if (table === 'places') this.#addPlace(text)
      if (table === 'terms' && isState(text)) this.states.set(text === term.noState ? undefined : text.slice(1), number)
    })
    this.#chunks.push(Buffer.from(memory))
    let entry = 0
    for (let n = 0; n < count; n++) {
      this.positions.push({ latitude: positions[n * 2], longitude: positions[n * 2 + 1] })
      const original = entries[entry + ENTRY.original] - 1
      if (original === -1) {
        this.#textAt.push(this.#chunks.length - 1)
        this.#textAt.push(n === 0 ? from : ends[n * 2 - 1])
        this.#textAt.push(ends[n * 2])
        this.#textAt.push(ends[n * 2 + 1])
        this.#putColumns(entries, entry)
        this.#grid.add(this.end - 1)
      } else this.#copyColumns(original, entries[entry + ENTRY.sharedTerms])
      entry = this.#index(entries, entry)
      yield
    }
  }

  /** Returns the end of the entry. */
  #index(entries: Uint32Array, entry: number): number {
    const termsFrom = entry + ENTRY_WORDS
    const lookupsFrom = termsFrom + entries[entry + ENTRY.terms]
    const end = lookupsFrom + entries[entry + ENTRY.lookups]
    for (let at = termsFrom; at < lookupsFrom; at++) this.#addTerm(entries[at])
    this.#termEnds.push(this.#termNumbers.length)
    for (let at = lookupsFrom; at < end; at++) this.#lookups.add(entries[at])
    this.#lookupEnds.push(this.#lookups.length)
    this.durations.add(entries[entry + ENTRY.minutes])
    return end
  }

  #addTerm(term: number): void {
    this.#termNumbers.push(term)
    this.withTerm.add(term, this.end - 1)
  }

  #putColumns(entries: Uint32Array, entry: number): void {
    this.originalOf.push(this.end - 1)
    this.#nextOther.push(0)
    this.actorOf.push(entries[entry + ENTRY.actor])
    this.serviceTypeOf.push(entries[entry + ENTRY.serviceType])
    this.specialtyOf.push(entries[entry + ENTRY.specialty])
    this.publisherOf.push(entries[entry + ENTRY.publisher])
    this.homeOf.push(entries[entry + ENTRY.home])
    this.isVirtual.push(entries[entry + ENTRY.isVirtual])
    this.placeOf.push(entries[entry + ENTRY.place])
  }

  /** Begins an offering like its original, with as many of its terms as they share. */
  #copyColumns(original: number, terms: number): void {
    for (let word = 0; word < TEXT_WORDS; word++) this.#textAt.push(this.#textAt.values[original * TEXT_WORDS + word])
    const { actorOf, serviceTypeOf, specialtyOf, publisherOf, homeOf, isVirtual, placeOf } = this
    for (const column of [actorOf, serviceTypeOf, specialtyOf, publisherOf, homeOf, isVirtual, placeOf])
      column.push(column.values[original])
    this.originalOf.push(original)
    this.#nextOther.push(this.#nextOther.values[original])
    this.#nextOther.values[original] = this.end - 1
    const termsFrom = beginOf(this.#termEnds.values, original)
    for (let at = termsFrom; at < termsFrom + terms; at++) this.#addTerm(this.#termNumbers.values[at])
  }

  #addPlace(terms: string): void {
    if (terms !== '') for (const number of terms.split(' ')) this.#placeTerms.push(Number(number))
    this.#placeEnds.push(this.#placeTerms.length)
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
    return names.filter((name) => isState(name) && name !== term.noState).map((name) => name.slice(1))
  }

  /** The offerings that are found by a value of `lookupsOf()`, in any order. Yields after each original. */
  *lookUp(name: string): Steps<number[]> {
    const found: number[] = []
    let last = -1
    for (const entry of this.#lookups.find(hashText(name))) {
      const number = placeFrom(this.#lookupEnds.values.subarray(0, this.end), entry + 1)
      if (number === last || !lookupsOf(filterValuesOf(this.offeringOf(number))).includes(name)) continue
      last = number
      this.#pushWithOthers(number, found)
      yield
    }
    return found
  }

  *near(circle: GeoRadius): Steps<Uint32Array> {
    const points = yield* this.#grid.within(circle)
    const found: number[] = []
    for (let n = 0; n < points.length; n++) {
      this.#pushWithOthers(points[n], found)
      if ((n & STEP_MASK) === STEP_MASK) yield
    }
    return new Uint32Array(found)
  }

  /** Appends an original and the offerings that differ in the duration. */
  #pushWithOthers(original: number, numbers: number[]): void {
    let number = original
    do {
      numbers.push(number)
      number = this.#nextOther.values[number]
    } while (number !== 0)
  }
}

const CACHE_LINE = 64

/** Words of `#textAt`: the number of the chunk comes first, and where the details end last. */
const TEXT_WORDS = 4
const JSON_FROM = 1
const DETAILS_FROM = 2

/** `S-`, without a state, included. */
function isState(name: string): boolean {
  return name.startsWith('S') && !name.includes(' ')
}
