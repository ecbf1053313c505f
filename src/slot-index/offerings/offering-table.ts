// Hot path
import { runAtOnce, type Steps } from '../../lib/steps.ts'
import { filterValuesOf } from '../../slot/filter-values.ts'
import type { GeoRadius } from '../../slot/geo-radius.ts'
import type { Offering } from '../../slot/slot.ts'
import { beginOf } from '../sorted-lists.ts'
import { Column } from './column.ts'
import { Durations } from './durations.ts'
import { hashEntry } from './hash-index.ts'
import { OfferingJson } from './offering-json.ts'
import { OfferingPositions } from './offering-positions.ts'
import { OfferingSegments } from './offering-segments.ts'
import {
  addTexts,
  ENTRY,
  ENTRY_WORDS,
  OfferingTexts,
  type PackedOfferings,
  packOfferings,
  type TimedOffering,
} from './pack-offerings.ts'
import type { KnownOfferings, SharedOfferings } from './shared-offerings.ts'
import { lookupsOf, term } from './term-names.ts'
import type { OfferingGroups, OfferingTerms } from './term-offerings.ts'

/**
 * The offerings by number, in columns. Numbers are dense and never reused. One thread puts offerings; others show what it shares, which
 * is in shared memory but for the texts.
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
  readonly json = new OfferingJson()
  /** Numbers of texts, by offering: see `ENTRY`. */
  readonly actorOf = new Column<Uint32Array>(Uint32Array)
  readonly serviceTypeOf = new Column<Uint32Array>(Uint32Array)
  readonly specialtyOf = new Column<Uint32Array>(Uint32Array)
  readonly publisherOf = new Column<Uint32Array>(Uint32Array)
  readonly homeOf = new Column<Uint32Array>(Uint32Array)
  readonly isVirtual = new Column<Uint8Array>(Uint8Array)
  /** From 1. */
  readonly placeOf = new Column<Uint32Array>(Uint32Array)
  readonly durations = new Durations()
  /** Its own number for an original. */
  readonly originalOf = new Column<Uint32Array>(Uint32Array)
  /** The terms of all states of offerings; the key undefined is for offerings without a state. Grows during pauses. */
  readonly states = new Map<string | undefined, number>()
  #statesEnd = 1
  readonly #placeTerms = new Column<Uint32Array>(Uint32Array)
  readonly #placeEnds = new Column<Uint32Array>(Uint32Array)
  readonly #termNumbers = new Column<Uint32Array>(Uint32Array)
  readonly #termEnds = new Column<Uint32Array>(Uint32Array)
  /** Number of offerings by term. */
  readonly #termCounts = new Column<Uint32Array>(Uint32Array)
  /** The next offering with the same original, the newest first; 0 behind the last. */
  readonly #nextOther = new Column<Uint32Array>(Uint32Array)
  #segments = new OfferingSegments([])
  /** Hashes of offerings that are in no segment. */
  #hashes: number[] = []
  /** The columns with one number by offering, and the others: all that are shared. */
  readonly #byOffering: readonly Column[]
  readonly #others: readonly Column[]

  constructor() {
    // There is no place 0.
    this.#placeEnds.push(0)
    const ofTexts = [this.actorOf, this.serviceTypeOf, this.specialtyOf, this.publisherOf, this.homeOf, this.placeOf]
    const own = [this.isVirtual, this.originalOf, this.#nextOther, this.#termEnds, this.durations.of]
    this.#byOffering = [...ofTexts, ...own, ...this.positions.columns]
    this.#others = [
      this.positions.vectors,
      this.json.places,
      this.#termNumbers,
      this.#termCounts,
      this.#placeTerms,
      this.#placeEnds,
    ]
  }

  /** Exclusive upper bound of the numbers. */
  get end(): number {
    return this.json.length
  }

  /** Exclusive upper bound of the places. */
  get placesEnd(): number {
    return this.#placeEnds.length
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
    yield* addTexts(this.#texts, added, (table, text) => {
      if (table === 'places') this.#addPlace(text)
    })
    this.#addStates()
    this.json.addChunk(memory, count)
    for (const column of this.#byOffering) column.reserve(count)
    this.positions.vectors.reserve(count * 3)
    this.#termNumbers.reserve(entries.length - count * ENTRY_WORDS)
    let entry = 0
    for (let n = 0; n < count; n++) {
      this.positions.push({ latitude: positions[n * 2], longitude: positions[n * 2 + 1] })
      const original = entries[entry + ENTRY.original] - 1
      if (original === -1) {
        this.json.put(n === 0 ? from : ends[n * 2 - 1], ends[n * 2], ends[n * 2 + 1])
        this.#putColumns(entries, entry)
      } else this.#copyColumns(original, entries[entry + ENTRY.sharedTerms])
      entry = this.#index(entries, entry)
      yield
    }
  }

  /** What another thread does not have; undefined if that is nothing. */
  share(known: KnownOfferings | undefined): SharedOfferings | undefined {
    if (known?.chunks === this.json.chunks.length) return undefined
    return {
      columns: [...this.#byOffering, ...this.#others].map((column) => column.share()),
      durations: this.durations.exists,
      segments: this.#segmentsToEnd().all,
      chunks: this.json.chunks.slice(known?.chunks).map(({ buffer }) => buffer as SharedArrayBuffer),
      // Only needed to put offerings.
      texts: { ...this.#texts.from(known?.texts), places: [] },
    }
  }

  get known(): KnownOfferings {
    return { chunks: this.json.chunks.length, texts: this.#texts.ends }
  }

  /** Shows what a table of another thread shares. */
  show({ columns, durations, segments, chunks, texts }: SharedOfferings): void {
    for (const [n, column] of [...this.#byOffering, ...this.#others].entries()) column.show(columns[n])
    this.durations.exists = durations
    this.#segments = new OfferingSegments(segments)
    for (const memory of chunks) this.json.addChunk(memory, 0)
    this.#texts.append(texts)
    this.#addStates()
  }

  #addStates(): void {
    for (; this.#statesEnd < this.terms.end; this.#statesEnd++) {
      const text = this.terms.textOf(this.#statesEnd)
      if (isState(text)) this.states.set(text === term.noState ? undefined : text.slice(1), this.#statesEnd)
    }
  }

  /** Returns the end of the entry. */
  #index(entries: Uint32Array, entry: number): number {
    const termsFrom = entry + ENTRY_WORDS
    const lookupsFrom = termsFrom + entries[entry + ENTRY.terms]
    const end = lookupsFrom + entries[entry + ENTRY.lookups]
    for (let at = termsFrom; at < lookupsFrom; at++) this.#addTerm(entries[at])
    this.#termEnds.push(this.#termNumbers.length)
    for (let at = lookupsFrom; at < end; at++) this.#hashes.push(hashEntry(entries[at], this.end - 1))
    this.durations.add(entries[entry + ENTRY.minutes])
    return end
  }

  #addTerm(term: number): void {
    this.#termNumbers.push(term)
    while (this.#termCounts.length <= term) this.#termCounts.push(0)
    this.#termCounts.values[term]++
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
    this.json.putLike(original)
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

  /** An offering with its details. */
  offeringOf(number: number): Offering {
    return this.json.parse(number)
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

  /** Lists of the offerings that have a term, by the term's number: ascending, and each behind the one before. */
  withTerm(number: number): Uint32Array[] {
    return this.#segmentsToEnd().withTerm(number)
  }

  /** How many offerings have a term; those that this thread does not show yet may be counted. */
  countWith(term: number): number {
    return term < this.#termCounts.length ? this.#termCounts.values[term] : 0
  }

  /** Which of some terms, at least one, the fewest offerings have. */
  rarestOf(terms: readonly number[]): number {
    return terms.reduce((a, b) => (this.countWith(b) < this.countWith(a) ? b : a))
  }

  /** The offerings that are found by a value of `lookupsOf()`, in any order. Yields after each original. */
  *lookUp(name: string): Steps<number[]> {
    const found: number[] = []
    for (const number of new Set(this.#segmentsToEnd().withLookup(name))) {
      if (!lookupsOf(filterValuesOf(this.offeringOf(number))).includes(name)) continue
      this.#pushWithOthers(number, found)
      yield
    }
    return found
  }

  /** The offerings in a circle, in any order. */
  near(circle: GeoRadius): Steps<Uint32Array> {
    return this.#segmentsToEnd().near(circle, this.positions)
  }

  /** Appends an original and the offerings that differ in the duration, without those that this thread does not show yet. */
  #pushWithOthers(original: number, numbers: number[]): void {
    let number = original
    do {
      if (number < this.end) numbers.push(number)
      number = this.#nextOther.values[number]
    } while (number !== 0)
  }

  /** Adds a segment for the offerings that are in none: otherwise the next search does. Not while offerings are put. */
  *index(): Steps<void> {
    if (this.#segments.end === this.end) return
    this.#segments = yield* this.#segments.with(this, this.end, this.#hashes)
    this.#hashes = []
  }

  #segmentsToEnd(): OfferingSegments {
    runAtOnce(this.index())
    return this.#segments
  }
}

/** `S-`, without a state, included. */
function isState(name: string): boolean {
  return name.startsWith('S') && !name.includes(' ')
}
