// Hot path
import { STEP_MASK, type Steps } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import { cityKey } from '../../slot/place-keys.ts'
import type { Near, SlotFilters } from '../../slot/slot-filters.ts'
import { ImpliedTerms, TESTED_MAX } from '../offerings/implied-terms.ts'
import type { OfferingTable } from '../offerings/offering-table.ts'
import { commonBits, intersects, numbersIn, TermBitmaps, withoutBits } from '../offerings/term-bitmaps.ts'
import { DURATION_STEPS, isPairedDuration, lookup, POSTAL_LENGTHS, term } from '../offerings/term-names.ts'
import { CircleRows } from './circle-rows.ts'
import type { RowFilter } from './run-matches.ts'

/** Fewer offerings are looked up in each run; more are only tested. */
const FEW_MAX = 4096
/** Filters on a smaller share of all offerings are not divided by home: see `#byHome()`. */
const FEW_SHARE = 1 / 64
const HOMES_MAX = 8
/** Above this share of all offerings, the bits of all are read instead of a list. */
const LISTED_SHARE = 1 / 16

/** The offerings in `lists`, or all without lists, that are in every bitmap of `tests`. */
export interface Candidates {
  readonly lists: readonly Uint32Array[] | undefined
  readonly tests: readonly Uint32Array[]
}

/**
 * Translates filters on offerings into filters on rows: the rows that match any of them, none of which match two.
 *
 * A value with a posting list becomes a term. Of filters with several values, one becomes an alternative for each value; the offerings
 * of the others, like those of rare values, become bitmaps.
 */
export class FilterPlanner {
  readonly bitmaps: TermBitmaps
  readonly #offerings: OfferingTable
  readonly #implied: ImpliedTerms
  #lastCircle: CircleRows | undefined

  constructor(offerings: OfferingTable) {
    this.#offerings = offerings
    this.bitmaps = new TermBitmaps(offerings)
    this.#implied = new ImpliedTerms(offerings, this.bitmaps)
  }

  *plan(filters: SlotFilters): Steps<readonly RowFilter[]> {
    const { identifiers } = filters
    const plans = yield* this.#plan(filters)
    if (identifiers === undefined || plans.length === 0) return plans
    // The rows of offerings that have one, then other rows of slots that have one.
    const few = yield* this.#lookUp(identifiers.map(lookup.identifier))
    const own = plans.map((plan) => ({ ...plan, identifiers }))
    if (few.length === 0) return own
    const bits = this.bitmaps.of(few)
    return [
      ...plans.map((plan) => ({ ...plan, tests: [...plan.tests, bits], few: fewest(plan.few, few) })),
      ...own.map((plan) => ({ ...plan, tests: [...plan.tests, withoutBits(bits)] })),
    ]
  }

  *#plan(filters: SlotFilters): Steps<readonly RowFilter[]> {
    const duration = this.#durationIn(filters)
    if (duration === undefined) return NOTHING
    const { terms: names, choices } = termsIn(filters, duration.terms)
    const required: number[] = []
    for (const name of names) {
      const number = this.#offerings.terms.find(name)
      if (number === undefined) return NOTHING
      required.push(number)
    }
    const terms = yield* this.#implied.leaveOut(required)
    if (terms === undefined) return NOTHING
    const { near } = filters
    let circle = near === undefined ? undefined : this.#circleOf(near)
    if (circle !== undefined && terms.length > 0) {
      const share = this.#implied.shareInside(circle.test, terms)
      if (share === 'none') return NOTHING
      if (share === 'all') circle = undefined
    }
    const own = duration.tested === undefined ? [] : [yield* this.bitmaps.atLeast(duration.tested)]
    const base: RowFilter = { terms, tests: own, few: undefined, circle }
    if (choices.length === 0 && names.length > 0 && !needsSets(filters)) return [base]
    const [first, ...others] = choices.map((names) =>
      names.map((name) => this.#offerings.terms.find(name)).filter((number) => number !== undefined),
    )
    const sets = yield* this.#setsOf(filters)
    if (sets.some(({ length }) => length === 0) || first?.length === 0) return NOTHING
    const tests = sets.map((set) => this.bitmaps.of(set))
    tests.push(...own)
    for (const numbers of others) tests.push(yield* this.bitmaps.union(numbers))
    const filter = { ...base, tests, few: sets.reduce<Uint32Array | undefined>(fewest, undefined) }
    if (first !== undefined) return yield* this.#alternatives(filter, first)
    return terms.length > 0 || circle !== undefined ? [filter] : yield* this.#byHome(filter, sets)
  }

  /**
   * The term of a minimum duration, and the minutes to be tested besides if shorter offerings have the term. Undefined if no offering is
   * long enough.
   */
  #durationIn({ minDurationMs }: SlotFilters): { terms: readonly string[]; tested: number | undefined } | undefined {
    if (minDurationMs === undefined) return ANY_DURATION
    const { durations } = this.#offerings
    const minutes = minDurationMs / MINUTE_MS
    const shortest = durations.from(minutes)
    if (shortest === undefined) return undefined
    if (durations.from(0) === shortest) return ANY_DURATION
    const step = DURATION_STEPS.findLast((each) => each <= shortest)
    if (step === undefined) return { terms: [], tested: minutes }
    return { terms: [term.atLeast(step)], tested: durations.from(step) === shortest ? undefined : minutes }
  }

  /** The same for queries that follow each other: a count by state plans as many. */
  #circleOf(near: Near): CircleRows {
    const last = this.#lastCircle
    const { latitude, longitude, radiusKm } = last?.circle.near ?? {}
    if (last !== undefined && near.latitude === latitude && near.longitude === longitude && near.radiusKm === radiusKm)
      return last
    const circle = new CircleRows(new GeoRadius(near), this.#offerings.positions)
    this.#lastCircle = circle
    return circle
  }

  /** One filter per home of many offerings of which none has a posting list, so that not all rows are tested: see `homeOf`. */
  *#byHome(filter: RowFilter, sets: readonly Uint32Array[]): Steps<RowFilter[]> {
    const { homeOf, end } = this.#offerings
    const [set, ...others] = sets.toSorted((a, b) => a.length - b.length)
    if (set === undefined || set.length < end * FEW_SHARE) return [filter]
    const homes = new Map<number, number[]>()
    for (const [n, offering] of set.entries()) {
      if ((n & STEP_MASK) === 0) yield
      const home = homeOf.values[offering]
      const own = homes.get(home)
      if (own === undefined) homes.set(home, [offering])
      else own.push(offering)
    }
    const listed = [...homes.keys()].reduce((sum, home) => sum + this.#offerings.countWith(home), 0)
    if (homes.size > HOMES_MAX || listed > end / 2) return [filter]
    // The bits of the set follow from those of its parts.
    const tests = [...others.map((other) => this.bitmaps.of(other)), ...filter.tests.slice(sets.length)]
    return [...homes].map(([home, own]) => {
      const few = Uint32Array.from(own)
      return { ...filter, terms: [home], tests: [this.bitmaps.of(few), ...tests], few: fewest(filter.few, few) }
    })
  }

  /**
   * Bits of the offerings whose rows match plans; undefined if all are. Only for plans of filters that select rows by their offerings:
   * see `isByOffering()`.
   */
  *offeringsOf(plans: readonly RowFilter[]): Steps<Uint32Array | undefined> {
    // All plans have the same circle.
    const circle = plans[0]?.circle?.circle
    const isAny = plans.length === 1 && plans[0].terms.length === 0 && plans[0].tests.length === 0
    if (isAny && circle === undefined) return undefined
    const nearby = circle === undefined ? [] : [this.bitmaps.of(yield* this.#offerings.near(circle))]
    const union = this.bitmaps.of(NO_OFFERINGS)
    for (const [n, { terms, tests }] of plans.entries()) {
      if (n > 0) yield
      const all = [...tests, ...nearby]
      for (const term of terms) all.push(yield* this.bitmaps.union([term]))
      const common = all.reduce((a, b) => (a.length < b.length ? commonBits(a, b) : commonBits(b, a)))
      for (let word = 0; word < common.length; word++) union[word] |= common[word]
    }
    return union
  }

  /** The rows of some offerings. */
  planFew(offerings: readonly number[]): RowFilter {
    const few = Uint32Array.from(offerings).sort()
    return { terms: [], tests: [this.bitmaps.of(few)], few, circle: undefined }
  }

  /** The offerings of a plan, of filters on offerings: those of its rarest term or in its circle, and what else they must pass. */
  *candidatesOf({ terms, tests, circle }: RowFilter): Steps<Candidates> {
    const rarest = terms.length === 0 ? undefined : this.#offerings.rarestOf(terms)
    const count = rarest === undefined ? Number.POSITIVE_INFINITY : this.#offerings.countWith(rarest)
    const listed =
      count <= (circle === undefined ? this.#offerings.end * LISTED_SHARE : TESTED_MAX) ? rarest : undefined
    const all = [...tests]
    for (const term of terms) if (term !== listed) all.push(yield* this.bitmaps.union([term]))
    if (listed === undefined) return { lists: circle && [yield* this.#offerings.near(circle.circle)], tests: all }
    const lists = this.#offerings.withTerm(listed)
    const inside = (list: Uint32Array) => list.filter((offering) => circle?.test.has(offering) === 1)
    return { lists: circle === undefined ? lists : lists.map(inside), tests: all }
  }

  /** One filter per term; each leaves out the offerings of those before. */
  *#alternatives(filter: RowFilter, terms: readonly number[]): Steps<RowFilter[]> {
    const filters: RowFilter[] = []
    for (const [n, number] of terms.entries()) {
      const before = n === 0 ? undefined : yield* this.bitmaps.union(terms.slice(0, n))
      const own = yield* this.bitmaps.union([number])
      const isDisjoint = before === undefined || !intersects(before, own)
      const tests = isDisjoint ? filter.tests : [...filter.tests, withoutBits(before)]
      filters.push({ ...filter, terms: [...filter.terms, number], tests })
    }
    return filters
  }

  /** The offerings that pass each filter that no posting list and no circle answers. */
  *#setsOf(filters: SlotFilters): Steps<Uint32Array[]> {
    const sets: Uint32Array[] = []
    for (const names of lookupsIn(filters)) sets.push(yield* this.#lookUp(names))
    const prefix = filters.postalCodePrefix
    if (prefix !== undefined && !POSTAL_LENGTHS.includes(prefix.length)) {
      const numbers = yield* this.#offerings.terms.findByPrefix(term.postalCode(prefix))
      sets.push(numbersIn(yield* this.bitmaps.union(numbers)))
    }
    return sets
  }

  /** The offerings that have any of some values: see `lookupsOf()`. */
  *#lookUp(names: readonly string[]): Steps<Uint32Array> {
    const found = new Set<number>()
    for (const name of names) for (const offering of yield* this.#offerings.lookUp(name)) found.add(offering)
    return Uint32Array.from(found).sort()
  }
}

/** The shorter list, if it is short enough. */
function fewest(few: Uint32Array | undefined, set: Uint32Array): Uint32Array | undefined {
  return set.length <= FEW_MAX && (few === undefined || set.length < few.length) ? set : few
}

const NOTHING: readonly RowFilter[] = []
const NO_OFFERINGS = new Uint32Array(0)
const ANY_DURATION = { terms: [], tested: undefined }

/** Whether filters select rows only by status, start and offering. */
export function isByOffering({ identifiers }: SlotFilters): boolean {
  return identifiers === undefined
}

/** Terms that are all required, and lists of terms of which any is enough. `duration`: see `#durationIn()`. */
function termsIn(filters: SlotFilters, duration: readonly string[]): { terms: string[]; choices: string[][] } {
  const { states, publishers, city } = filters
  const paired = pairedTermsIn(filters, duration.filter(isPairedDuration))
  const single = [...paired.terms, ...duration.filter((name) => !isPairedDuration(name))]
  const { choices } = paired
  if (city !== undefined) single.push(term.city(cityKey(city)))
  if (publishers !== undefined) put(publishers.map(term.publisher), single, choices)
  const prefix = filters.postalCodePrefix
  if (prefix !== undefined && POSTAL_LENGTHS.includes(prefix.length)) single.push(term.postalCode(prefix))
  if (states?.length !== 1) {
    if (states !== undefined) choices.unshift(states.map((state) => stateTerm(state, filters)))
    return { terms: single, choices }
  }
  const state = term.state(states[0])
  const others = single.map((name) => (paired.names.has(name) ? term.pair(state, name) : name))
  return { terms: paired.names.size === 0 ? [state, ...others] : others, choices }
}

/** A state, paired with the mode that is asked for: a slot that can be attended both ways has states of each. */
export function stateTerm(state: string, { isVirtual }: Pick<SlotFilters, 'isVirtual'>): string {
  return isVirtual === undefined ? term.state(state) : term.pair(term.state(state), term.mode(isVirtual))
}

function pairedTermsIn(filters: SlotFilters, duration: readonly string[]) {
  const { isVirtual, serviceTypeCodes, specialty, appointmentType, acceptingPatients } = filters
  const terms = [...duration]
  const choices: string[][] = []
  if (isVirtual !== undefined) terms.push(term.mode(isVirtual))
  if (serviceTypeCodes !== undefined) put(serviceTypeCodes.map(term.serviceType), terms, choices)
  if (specialty !== undefined) terms.push(term.specialty(specialty.toLowerCase()))
  if (appointmentType !== undefined) terms.push(term.appointmentType(appointmentType))
  if (acceptingPatients !== undefined) terms.push(term.patients(acceptingPatients))
  return { terms, choices, names: new Set(terms) }
}

/** Whether a filter is answered neither by terms nor by a circle: see `#setsOf()`. */
function needsSets({ scheduleId, actorKey, providerNpi, languages, postalCodePrefix: prefix }: SlotFilters): boolean {
  if (prefix !== undefined && !POSTAL_LENGTHS.includes(prefix.length)) return true
  return (scheduleId ?? actorKey ?? providerNpi ?? languages) !== undefined
}

/** For each filter the values of which any is enough: see `lookupsOf()`. */
function lookupsIn({ scheduleId, actorKey, providerNpi, languages }: SlotFilters): string[][] {
  const wanted: string[][] = []
  if (scheduleId !== undefined) wanted.push([lookup.schedule(scheduleId)])
  if (actorKey !== undefined) wanted.push([lookup.actor(actorKey)])
  if (providerNpi !== undefined) wanted.push([lookup.npi(providerNpi)])
  if (languages !== undefined) wanted.push(languages.map(lookup.language))
  return wanted
}

function put(names: string[], single: string[], choices: string[][]): void {
  const distinct = [...new Set(names)]
  if (distinct.length === 1) single.push(distinct[0])
  else choices.push(distinct)
}
