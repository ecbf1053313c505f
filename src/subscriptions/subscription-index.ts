import { hash } from 'node:crypto'
import { type FilterValues, identifierNamesOf, type Matcher, matcherOf } from '../slot/filter-values.ts'
import type { Slot, SlotStatus } from '../slot/slot.ts'
import { nameFilters, type SlotFilters } from '../slot/slot-filters.ts'
import type { InsertedSlot } from '../store/contracts/revision-feed.ts'
import { type FilterTerm, filterTermsOf, type IndexedCondition, identifierTerm, mostSelective } from './filter-terms.ts'

/** Distinct filters, shared by all subscriptions that have them. */
export interface SharedFilters {
  /** Identifies them: equal for equal filters, 132 bits. */
  readonly key: string
  readonly filters: SlotFilters
  /** Ids of the subscriptions. */
  readonly subscriptions: ReadonlySet<string>
}

/** The conditions on slots are copied: filters have objects of many shapes, which take several times as long to read. */
interface Entry extends SharedFilters, StartRange {
  readonly subscriptions: Set<string>
  readonly group: Group
  readonly status: SlotStatus
  readonly minDurationMs: number
}

/** Inclusive bounds of the start of a slot. */
interface StartRange {
  readonly startAfterMs: number
  readonly startBeforeMs: number
}

/** Filters that differ only in times and durations, which belong to slots: an offering is tested once for all of them. */
interface Group extends StartRange {
  readonly name: string
  readonly entries: Entry[]
  /** They contain those of all entries; wider after some were removed. */
  startAfterMs: number
  startBeforeMs: number
  /** Number of the last offering that it was a candidate for. */
  look: number
  readonly condition: IndexedCondition | undefined
  /** The filters on offerings that the condition does not imply, identifiers excepted: a slot may have its own. */
  readonly covers: Matcher | undefined
  readonly identifiers: ReadonlySet<string> | undefined
}

/** The groups of a term, and those that need a second term as well. */
interface Posting {
  readonly groups: Set<Group>
  readonly within: Map<FilterTerm, Set<Group>>
}

/**
 * An inverted index of filters: finds the subscriptions that match a slot, at a cost that depends on the slot and on the filters near it.
 * Distinct filters are stored once; those that differ only in times form a group, which is listed under the terms of its most selective
 * condition. A match is verified exactly.
 *
 *     filters                             posting of the group
 *     city=boston&isVirtual=true          city boston
 *     near=42.3,-71.1&radiusKm=10         cell 7/131/77, cell 7/131/78
 *     state=MA&state=NH&serviceType=57    state MA › serviceType 57, state NH › serviceType 57
 *     minDurationMinutes=30               tested for every offering
 *
 * Adding a subscription costs O(terms of its condition), and removing it O(filters of its group) as well. An offering costs O(its terms +
 * candidates), and each of its slots O(filters of the groups that its offering matches). Candidates are tested for slots in their times only.
 */
export class SubscriptionIndex {
  readonly #byKey = new Map<string, Entry>()
  readonly #bySubscription = new Map<string, Entry>()
  readonly #postings = new Map<FilterTerm, Posting>()
  readonly #groups = new Map<string, Group>()
  readonly #always = new Set<Group>()
  #looks = 0

  /** Number of subscriptions. */
  get size(): number {
    return this.#bySubscription.size
  }

  /** The filters with a key, if a subscription has them. */
  find(key: string): SharedFilters | undefined {
    return this.#byKey.get(key)
  }

  /** The filters of a subscription. */
  filtersOf(id: string): SharedFilters | undefined {
    return this.#bySubscription.get(id)
  }

  /** Adds a subscription or replaces its filters. */
  put(id: string, filters: SlotFilters): SharedFilters {
    const key = hash('sha256', nameFilters(filters), 'base64url').slice(0, KEY_LENGTH)
    const before = this.#bySubscription.get(id)
    if (before?.key === key) return before
    this.remove(id)
    const entry = this.#byKey.get(key) ?? this.#addEntry(key, filters)
    entry.subscriptions.add(id)
    this.#bySubscription.set(id, entry)
    return entry
  }

  remove(id: string): void {
    const entry = this.#bySubscription.get(id)
    if (entry === undefined) return
    this.#bySubscription.delete(id)
    entry.subscriptions.delete(id)
    if (entry.subscriptions.size > 0) return
    this.#byKey.delete(entry.key)
    const { group } = entry
    group.entries.splice(group.entries.indexOf(entry), 1)
    if (group.entries.length === 0) this.#removeGroup(group)
  }

  /** The filters that an offering matches. Valid until the index changes. */
  matchOffering(values: FilterValues): OfferingMatches {
    const { states, others } = filterTermsOf(values)
    const candidates: Group[] = [...this.#always]
    const look = ++this.#looks
    const add = (groups: Iterable<Group>) => {
      for (const group of groups) {
        if (group.look === look) continue
        group.look = look
        candidates.push(group)
      }
    }
    for (const term of others) add(this.#postings.get(term)?.groups ?? NONE)
    for (const state of states) {
      const posting = this.#postings.get(state)
      if (posting === undefined) continue
      add(posting.groups)
      if (posting.within.size > 0) for (const term of others) add(posting.within.get(term) ?? NONE)
    }
    const byIdentifier = (name: string) => this.#postings.get(identifierTerm(name))?.groups ?? NONE
    return new OfferingMatches(candidates, { values, byIdentifier })
  }

  #addEntry(key: string, filters: SlotFilters): Entry {
    const {
      startAfterMs = Number.NEGATIVE_INFINITY,
      startBeforeMs = Number.POSITIVE_INFINITY,
      minDurationMs = Number.NEGATIVE_INFINITY,
      ...ofOffering
    } = filters
    const name = nameFilters(ofOffering)
    const group = this.#groups.get(name) ?? this.#addGroup(name, ofOffering)
    const { status } = filters
    const ofSlot = { status, startAfterMs, startBeforeMs, minDurationMs }
    const entry: Entry = { key, filters, subscriptions: new Set(), group, ...ofSlot }
    group.entries.push(entry)
    group.startAfterMs = Math.min(group.startAfterMs, startAfterMs)
    group.startBeforeMs = Math.max(group.startBeforeMs, startBeforeMs)
    this.#byKey.set(key, entry)
    return entry
  }

  #addGroup(name: string, filters: SlotFilters): Group {
    const { identifiers, ...others } = filters
    const condition = mostSelective(filters)
    const untested = Object.entries(others).filter(([field]) => !condition?.implied.some((one) => one === field))
    const covers = matcherOf(Object.fromEntries(untested) as unknown as SlotFilters)
    const group: Group = {
      name,
      entries: [],
      startAfterMs: Number.POSITIVE_INFINITY,
      startBeforeMs: Number.NEGATIVE_INFINITY,
      look: 0,
      condition,
      covers,
      identifiers: identifiers && new Set(identifiers),
    }
    this.#groups.set(name, group)
    if (condition === undefined) this.#always.add(group)
    else this.#list(group, condition)
    return group
  }

  #removeGroup(group: Group): void {
    this.#groups.delete(group.name)
    if (group.condition === undefined) this.#always.delete(group)
    else this.#unlist(group, group.condition)
  }

  #list(group: Group, { terms, within }: IndexedCondition): void {
    for (const term of terms) {
      const posting = this.#postings.get(term) ?? { groups: new Set(), within: new Map() }
      this.#postings.set(term, posting)
      if (within === undefined) posting.groups.add(group)
      for (const second of within ?? []) {
        const groups = posting.within.get(second) ?? new Set()
        posting.within.set(second, groups.add(group))
      }
    }
  }

  #unlist(group: Group, { terms, within }: IndexedCondition): void {
    for (const term of terms) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      posting.groups.delete(group)
      for (const second of within ?? []) {
        const groups = posting.within.get(second)
        groups?.delete(group)
        if (groups?.size === 0) posting.within.delete(second)
      }
      if (posting.groups.size === 0 && posting.within.size === 0) this.#postings.delete(term)
    }
  }
}

const NONE: readonly never[] = []
const KEY_LENGTH = 22

interface OfferingLookUp {
  readonly values: FilterValues
  readonly byIdentifier: (name: string) => Iterable<Group>
}

/** The filters that an offering matches, from which those of each of its slots are chosen. A candidate is tested once, when a slot is in its times. */
export class OfferingMatches {
  readonly #found: Group[] = []
  /** They lack an identifier, which a slot may have. */
  readonly #undecided: Group[] = []
  readonly #lookUp: OfferingLookUp
  #untested: Iterable<Group>

  constructor(candidates: Iterable<Group>, lookUp: OfferingLookUp) {
    this.#untested = candidates
    this.#lookUp = lookUp
  }

  /** The filters that a free slot of the offering matches; none if it is not free or has ended. */
  ofSlot(slot: InsertedSlot, nowMs: number): SharedFilters[] {
    if (slot.status !== 'free' || slot.endMs <= nowMs) return []
    this.#testFor(slot)
    const matches: SharedFilters[] = []
    const groups = slot.json.includes('"identifier"') ? this.#withOwnIdentifier(slot) : this.#found
    for (const { entries } of groups) for (const entry of entries) if (matchesSlot(entry, slot)) matches.push(entry)
    return matches
  }

  #testFor({ startMs }: InsertedSlot): void {
    const { values } = this.#lookUp
    const untested: Group[] = []
    for (const group of this.#untested) {
      if (!isWithin(group, startMs)) untested.push(group)
      else if (group.covers?.(values) !== false) {
        const { identifiers } = group
        const isFound = identifiers === undefined || values.identifiers.some((one) => identifiers.has(one))
        ;(isFound ? this.#found : this.#undecided).push(group)
      }
    }
    this.#untested = untested
  }

  #withOwnIdentifier(slot: InsertedSlot): Set<Group> {
    const { identifier = [] }: Pick<Slot, 'identifier'> = JSON.parse(`${slot.json}}`)
    const { values, byIdentifier } = this.#lookUp
    const matches = new Set(this.#found)
    for (const name of identifierNamesOf(identifier)) {
      for (const group of byIdentifier(name)) if (group.covers?.(values) !== false) matches.add(group)
      for (const group of this.#undecided) if (group.identifiers?.has(name)) matches.add(group)
    }
    return matches
  }
}

function matchesSlot(entry: Entry, { status, startMs, endMs }: InsertedSlot): boolean {
  return isWithin(entry, startMs) && endMs - startMs >= entry.minDurationMs && entry.status === status
}

function isWithin({ startAfterMs, startBeforeMs }: StartRange, startMs: number): boolean {
  return startMs >= startAfterMs && startMs <= startBeforeMs
}
