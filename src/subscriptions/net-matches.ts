import { EVENT_IDS_MAX, type QuietRule, type SubscriptionEvent } from '../shared/subscription-vocabulary.ts'
import type { AnnouncedEvent, FilterMatches, MatchKind } from '../store/contracts/subscription-matches.ts'
import { foldMatches } from './fold-matches.ts'

/** The outcome of matches for one subscription. */
interface NetMatches {
  readonly events: readonly AnnouncedEvent[]
  readonly heldBack: Readonly<Partial<Record<QuietRule, number>>>
  /** The matches that belong before those of the next announcement. */
  readonly carried: readonly FilterMatches[]
}

/** The subscription and the state of its sources. */
export interface NetOptions {
  readonly wanted: readonly SubscriptionEvent[]
  /** The sources whose newest snapshot is held: their matches are not announced. */
  readonly heldSources: ReadonlySet<number>
  /** What was removed at a later revision may return as a flap. */
  readonly recentAfter: number
}

/** The transitions of a slot since the last announcement. */
interface Transitions {
  readonly startMs: number
  /** It was open at the last announcement. */
  readonly wasOpen: boolean
  isOpen: boolean
  /** The last time that it opened, it did so in a first snapshot. */
  isFirstSync: boolean
  hasReturned: boolean
  readonly firstRevision: number
  lastRevision: number
}

/**
 * The difference that matches make since the last announcement, as events, and the number held back by each rule. The rows are those
 * after it, in order of revision.
 *
 *     transitions of a slot            announced
 *     opened                           opened
 *     opened, closed or removed        nothing
 *     closed or removed                closed
 *     closed, opened                   nothing
 *     removed, returned                nothing; held back: flap
 *     returned                         nothing, held back: flap; opened if its removal was announced
 *     first-sync                       nothing; held back: first sync
 *
 * Of more than `EVENT_IDS_MAX` slots of one commit and kind only the number is known: those opened and those closed cancel as many.
 *
 * A slot that opened and was removed is carried to the next announcement while its return would be a flap: else those who want only
 * openings would never learn of it.
 */
export function netMatches(rows: readonly FilterMatches[], options: NetOptions): NetMatches {
  const { wanted, heldSources, recentAfter } = options
  const heldBack = { flap: 0, firstSync: 0, heldSource: 0 }
  const slots = new Map<string, Transitions>()
  const beyond = { opened: new Beyond(), closed: new Beyond() }
  const wantsClosed = wanted.includes('slots.closed')
  for (const row of rows) {
    if (heldSources.has(row.sourceId)) heldBack.heldSource += row.total
    else {
      follow(slots, row, wantsClosed)
      const unknown = row.total - row.slots.length
      if (row.kind === 'first-sync') heldBack.firstSync += unknown
      else if (row.kind === 'returned') heldBack.flap += unknown
      else (row.kind === 'opened' ? beyond.opened : beyond.closed).add(unknown, row.revision)
    }
  }
  const opened = new EventDraft('slots.opened', beyond.opened, beyond.closed.count)
  const closed = new EventDraft('slots.closed', beyond.closed, beyond.opened.count)
  for (const [id, slot] of slots) {
    if (slot.isOpen && !slot.wasOpen && slot.isFirstSync) heldBack.firstSync++
    else if (slot.isOpen && !slot.wasOpen) opened.add(id, slot)
    else if (!slot.isOpen && slot.wasOpen) closed.add(id, slot)
    else if (slot.hasReturned) heldBack.flap++
  }
  const events = [opened, closed].filter((event) => wanted.includes(event.type) && event.total > 0)
  return {
    // A receiver that gets only the first continues from its revision.
    events: events.map((event) => event.end()).sort((a, b) => a.toRevision - b.toRevision),
    heldBack: Object.fromEntries(Object.entries(heldBack).filter(([, count]) => count > 0)),
    carried: wantsClosed ? [] : carriedMatches(rows, slots, recentAfter),
  }
}

/** Without returns, which were counted. A source has three revisions at most. */
function carriedMatches(
  rows: readonly FilterMatches[],
  slots: ReadonlyMap<string, Transitions>,
  recentAfter: number,
): FilterMatches[] {
  const mayReturn = ({ wasOpen, isOpen, isFirstSync, lastRevision }: Transitions) =>
    !wasOpen && !isOpen && !isFirstSync && lastRevision > recentAfter
  const ids = [...slots].filter(([, slot]) => mayReturn(slot)).map(([id]) => id)
  const carried = new Set(ids.slice(0, EVENT_IDS_MAX))
  const carriedRows = rows
    .filter(({ kind }) => carried.size > 0 && kind !== 'returned')
    .map((row) => withSlots(row, (id) => carried.has(id)))
    .filter(({ total }) => total > 0)
  return foldMatches(carriedRows)
}

function withSlots(row: FilterMatches, isKept: (id: string) => boolean): FilterMatches {
  const slots = row.slots.filter(([id]) => isKept(id))
  return { ...row, total: slots.length, slots }
}

function follow(
  slots: Map<string, Transitions>,
  { kind, revision, slots: matched }: FilterMatches,
  wantsClosed: boolean,
) {
  const isOpen = OPENS[kind]
  for (const [id, startMs] of matched) {
    const slot = slots.get(id)
    if (slot === undefined) {
      // The removal of a slot that returns was announced before to those who want it; to others, the slot never went.
      const wasOpen = kind === 'returned' ? !wantsClosed : !isOpen
      const first = { startMs, wasOpen, firstRevision: revision, lastRevision: revision }
      slots.set(id, { ...first, isOpen, isFirstSync: kind === 'first-sync', hasReturned: kind === 'returned' })
    } else {
      slot.isOpen = isOpen
      slot.lastRevision = revision
      if (kind === 'returned') slot.hasReturned = true
      else if (isOpen) slot.isFirstSync = kind === 'first-sync'
    }
  }
}

const OPENS = {
  opened: true,
  'first-sync': true,
  returned: true,
  closed: false,
  removed: false,
} as const satisfies Record<MatchKind, boolean>

/** Slots of which only the number is known. */
class Beyond {
  count = 0
  first = Number.POSITIVE_INFINITY
  last = 0

  add(count: number, revision: number): void {
    if (count === 0) return
    this.count += count
    this.first = Math.min(this.first, revision)
    this.last = Math.max(this.last, revision)
  }
}

class EventDraft {
  readonly type: SubscriptionEvent
  total: number
  readonly #slots: { id: string; startMs: number }[] = []
  #first: number
  #last: number

  constructor(type: SubscriptionEvent, beyond: Beyond, canceled: number) {
    this.type = type
    this.total = Math.max(0, beyond.count - canceled)
    this.#first = beyond.first
    this.#last = beyond.last
  }

  add(id: string, { startMs, firstRevision, lastRevision }: Transitions): void {
    this.total++
    this.#slots.push({ id, startMs })
    this.#first = Math.min(this.#first, firstRevision)
    this.#last = Math.max(this.#last, lastRevision)
  }

  end(): AnnouncedEvent {
    const { type, total } = this
    const isKnown = total <= EVENT_IDS_MAX && total === this.#slots.length
    const slots = isKnown ? this.#slots.sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1)) : []
    return { type, fromRevision: this.#first - 1, toRevision: this.#last, total, ids: slots.map(({ id }) => id) }
  }
}
