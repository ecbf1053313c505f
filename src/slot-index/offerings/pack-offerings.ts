import { hashText } from '../../lib/text.ts'
import { type FilterValues, filterValuesOf, serviceTypesOf, specialtiesOf } from '../../slot/filter-values.ts'
import { encodeOffering, type Offering } from '../../slot/slot.ts'
import { sharedCopy } from './column.ts'
import { durationTermsOf, isPlaceTerm, lookupsOf, term, termsOf } from './term-names.ts'
import { TextTable } from './text-table.ts'

/** The texts that offerings refer to, by number: the same in every thread. */
export class OfferingTexts {
  /** See `termsOf()`. */
  readonly terms = new TextTable()
  /** See `actorKeyOf()`. */
  readonly actors = new TextTable()
  /** JSON of all service types: a list of `Coding`. */
  readonly serviceTypes = new TextTable()
  /** JSON of all specialties as published: a list of texts. */
  readonly specialties = new TextTable()
  readonly publishers = new TextTable()
  /** Sets of terms of states, of modes, and of their pairs: their numbers, separated by spaces. */
  readonly places = new TextTable()

  /** Exclusive upper bounds of the numbers, by table. */
  get ends(): number[] {
    return TABLES.map((table) => this[table].end)
  }

  /** The texts from some numbers on, or all. */
  from(ends?: readonly number[]): AddedTexts {
    return byTable((table, n) => this[table].from(ends?.[n] ?? 1))
  }

  /** Appends the texts that another thread has added. */
  append(added: AddedTexts): void {
    for (const table of TABLES) for (const text of added[table]) this[table].append(text)
  }
}

const TABLES = ['terms', 'actors', 'serviceTypes', 'specialties', 'publishers', 'places'] as const

/** New texts of each table, in the order of their numbers. */
export type AddedTexts = Readonly<Record<(typeof TABLES)[number], readonly string[]>>

/** An offering of the store with slots of one duration: see `minutesOf()`. */
export interface TimedOffering {
  readonly offering: Offering
  readonly minutes: number
  /** The number of the first such offering with another duration; undefined if this is the first. */
  readonly original?: number
}

/**
 * Offerings as they are sent between threads, in memory that they share, with all that is computed from their JSON: that takes some 40
 * microseconds per offering, and once is enough.
 */
export interface PackedOfferings {
  readonly count: number
  /** For each original its `encodeOffering()`, then JSON of its details, if it has any. */
  readonly memory: SharedArrayBuffer
  /** Where the first text begins. */
  readonly from: number
  /** Where these two texts end. */
  readonly ends: Uint32Array
  /** Latitude and longitude of each, in decimal degrees; NaN without a position. */
  readonly positions: Float64Array
  /** For each offering its `ENTRY` numbers, then the numbers of its terms, then the hashes of its `lookupsOf()`: of others what differs. */
  readonly entries: Uint32Array
  readonly added: AddedTexts
}

/** The numbers of an entry in their order: of texts, except for the first two and `isVirtual`. */
export const ENTRY = {
  terms: 0,
  lookups: 1,
  actor: 2,
  serviceType: 3,
  specialty: 4,
  publisher: 5,
  /** The term of the state in whose file a feed has the slots: of the location, else the last licensed one. */
  home: 6,
  isVirtual: 7,
  place: 8,
  /** See `minutesOf()`. */
  minutes: 9,
  /** The number of the original + 1, of which the first terms are the same; 0 for an original. */
  original: 10,
  sharedTerms: 11,
} as const
export const ENTRY_WORDS = 12

/** Packs offerings, and adds their texts to those that are known. */
export function packOfferings(offerings: readonly TimedOffering[], texts: OfferingTexts): PackedOfferings {
  const known = texts.ends
  const positions: number[] = []
  const entries: number[] = []
  for (const timed of offerings) {
    const values = filterValuesOf(timed.offering)
    positions.push(values.latitude, values.longitude)
    if (timed.original === undefined) pushEntry(entries, timed, values, texts)
    else pushDifference(entries, { ...timed, original: timed.original }, values, texts)
  }
  return {
    count: offerings.length,
    ...packJson(offerings),
    positions: sharedCopy(Float64Array.from(positions)),
    entries: sharedCopy(Uint32Array.from(entries)),
    added: texts.from(known),
  }
}

/** The texts that several have added, in their order. */
export function addedBy(packed: readonly PackedOfferings[]): AddedTexts {
  return byTable((table) => packed.flatMap(({ added }) => added[table]))
}

function byTable(textsOf: (table: (typeof TABLES)[number], n: number) => readonly string[]): AddedTexts {
  const [terms, actors, serviceTypes, specialties, publishers, places] = TABLES.map(textsOf)
  return { terms, actors, serviceTypes, specialties, publishers, places }
}

/** Adds texts that may be known, and calls `onAdded` for each. Yields after each. */
export function* addTexts(
  texts: OfferingTexts,
  added: AddedTexts,
  onAdded: (table: (typeof TABLES)[number], text: string) => void,
): Generator<void, void> {
  for (const table of TABLES) {
    for (const text of added[table]) {
      texts[table].add(text)
      onAdded(table, text)
      yield
    }
  }
}

function packJson(offerings: readonly TimedOffering[]): Pick<PackedOfferings, 'memory' | 'from' | 'ends'> {
  const texts = offerings.flatMap(({ offering, original }) => [
    Buffer.from(original === undefined ? encodeOffering(offering) : ''),
    Buffer.from(original !== undefined || offering.details === undefined ? '' : JSON.stringify(offering.details)),
  ])
  const ends = new Uint32Array(texts.length)
  const memory = new SharedArrayBuffer(texts.reduce((bytes, text) => bytes + text.length, 0))
  const target = Buffer.from(memory)
  texts.reduce((end, text, n) => {
    ends[n] = end + text.copy(target, end)
    return ends[n]
  }, 0)
  return { memory, from: 0, ends }
}

function pushEntry(
  entries: number[],
  { offering, minutes }: TimedOffering,
  values: FilterValues,
  texts: OfferingTexts,
): void {
  const names = [...termsOf(values), ...durationTermsOf(minutes, values.states)]
  const terms = names.map((name) => texts.terms.add(name))
  const lookups = lookupsOf(values)
  const home = offering.location?.state ?? offering.serviceStates?.at(-1)
  // In the order of `ENTRY`.
  entries.push(
    terms.length,
    lookups.length,
    texts.actors.add(values.actorKey),
    texts.serviceTypes.add(listText(serviceTypesOf(offering))),
    texts.specialties.add(listText(specialtiesOf(offering))),
    texts.publishers.add(values.publisher),
    texts.terms.add(home === undefined ? term.noState : term.state(home)),
    values.modes.includes('virtual') ? 1 : 0,
    texts.places.add(terms.filter((_, n) => isPlaceTerm(names[n])).join(' ')),
    minutes,
    0,
    0,
    ...terms,
    ...lookups.map(hashText),
  )
}

function pushDifference(
  entries: number[],
  { minutes, original }: Required<TimedOffering>,
  values: FilterValues,
  texts: OfferingTexts,
): void {
  const terms = durationTermsOf(minutes, values.states).map((name) => texts.terms.add(name))
  const entry = new Array(ENTRY_WORDS).fill(0)
  entry[ENTRY.terms] = terms.length
  entry[ENTRY.minutes] = minutes
  entry[ENTRY.original] = original + 1
  entry[ENTRY.sharedTerms] = termsOf(values).length
  entries.push(...entry, ...terms)
}

/** Few lists differ, so a list is counted as one text. */
function listText(list: readonly unknown[]): string | undefined {
  return list.length === 0 ? undefined : JSON.stringify(list)
}
