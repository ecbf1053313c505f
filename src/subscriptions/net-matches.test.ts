import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { EVENT_IDS_MAX, type SubscriptionEvent } from '../shared/subscription-vocabulary.ts'
import type { FilterMatches, MatchKind } from '../store/contracts/subscription-matches.ts'
import { netMatches } from './net-matches.ts'

const BOTH: SubscriptionEvent[] = ['slots.opened', 'slots.closed']
const OPENED: SubscriptionEvent[] = ['slots.opened']

/** The kinds of one slot, commit by commit, for a subscription to both events; then the event, or the rule that held it back. */
const CASES: [kinds: MatchKind[], both: string, opened?: string][] = [
  [['opened'], 'slots.opened'],
  [['opened', 'closed'], 'nothing'],
  [['opened', 'removed'], 'nothing'],
  [['opened', 'removed', 'returned'], 'slots.opened'],
  [['closed'], 'slots.closed', 'nothing'],
  [['removed'], 'slots.closed', 'nothing'],
  [['closed', 'opened'], 'nothing'],
  [['removed', 'returned'], 'flap'],
  [['removed', 'returned', 'removed'], 'slots.closed', 'nothing'],
  [['returned'], 'slots.opened', 'flap'],
  [['first-sync'], 'firstSync'],
  [['first-sync', 'removed'], 'nothing'],
  [['first-sync', 'removed', 'returned'], 'firstSync'],
  [['first-sync', 'closed', 'opened'], 'slots.opened'],
  [['closed', 'opened', 'closed'], 'slots.closed', 'nothing'],
]

test('announces the difference that the matches of a slot make, or counts why not', () => {
  for (const [kinds, both, opened = both] of CASES) {
    assert.equal(outcomeOf(kinds, BOTH), both, kinds.join())
    assert.equal(outcomeOf(kinds, OPENED), opened, `${kinds.join()} without closed`)
  }
})

test('an event names its first and last revision, and its slots in order of start', () => {
  const rows = [
    rowOf('opened', 5, [['b', 20]]),
    rowOf('opened', 7, [
      ['c', 10],
      ['a', 20],
    ]),
    rowOf('closed', 9, [['d', 1]]),
  ]
  assert.deepEqual(net(rows, OPENED).events, [
    { type: 'slots.opened', fromRevision: 4, toRevision: 7, total: 3, ids: ['c', 'a', 'b'] },
  ])
})

test('the events of an announcement are in order of revision', () => {
  const revisionsOf = (rows: FilterMatches[]) =>
    net(rows, BOTH).events.map(({ type, toRevision }) => [type, toRevision])
  assert.deepEqual(revisionsOf([rowOf('closed', 5, [['a', 1]]), rowOf('opened', 7, [['b', 2]])]), [
    ['slots.closed', 5],
    ['slots.opened', 7],
  ])
  assert.deepEqual(revisionsOf([rowOf('opened', 5, [['a', 1]]), rowOf('closed', 7, [['b', 2]])]), [
    ['slots.opened', 5],
    ['slots.closed', 7],
  ])
})

test('announces only the number of more than 1,000 slots', () => {
  const slots = Array.from({ length: EVENT_IDS_MAX }, (_, n): [string, number] => [`${n}`, n])
  const [known] = net([rowOf('opened', 3, slots)], OPENED).events
  assert.deepEqual([known.total, known.ids.length], [1000, 1000])
  const rows = [{ ...rowOf('opened', 3, slots), total: 5000 }, rowOf('removed', 4, slots.slice(0, 10))]
  assert.deepEqual(net(rows, OPENED).events, [
    { type: 'slots.opened', fromRevision: 2, toRevision: 3, total: 4990, ids: [] },
  ])
})

test('counts the matches of a source whose snapshot is held', () => {
  const rows = [rowOf('opened', 3, [['a', 1]]), { ...rowOf('opened', 4, [['b', 1]]), sourceId: 2 }]
  const { events, heldBack } = netMatches(rows, { wanted: OPENED, heldSources: new Set([2]), recentAfter: 0 })
  assert.deepEqual([events.map(({ ids }) => ids), heldBack], [[['a']], { heldSource: 1 }])
})

test('a receiver that applies both events has the slots of a mirror, however often they are announced', () => {
  const step = fc.record({ id: fc.constantFrom('a', 'b', 'c'), isTold: fc.boolean(), isRemoval: fc.boolean() })
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const [mirror, told] = [new Set<string>(), new Set<string>()]
    let rows: FilterMatches[] = []
    const tell = () => {
      for (const { type, ids } of net(rows, BOTH).events)
        for (const id of ids) assert.ok(type === 'slots.opened' ? told.size < told.add(id).size : told.delete(id))
      rows = []
    }
    for (const [at, { id, isTold, isRemoval }] of steps.entries()) {
      const isClosed = mirror.delete(id)
      if (!isClosed) mirror.add(id)
      rows.push(rowOf(isClosed ? (isRemoval ? 'removed' : 'closed') : 'opened', at + 1, [[id, 1]]))
      if (isTold) tell()
    }
    tell()
    assert.deepEqual([...told].sort(), [...mirror].sort())
  })
  fc.assert(property, { numRuns: casesOf(500) })
})

/** The commits between which a return is a flap. */
const FLAP = 5

/** A slot changes at each commit; `isRemoval`: it goes with its commit, instead of being booked. */
const change = fc.record({ id: fc.constantFrom('a', 'b', 'c'), isAnnounced: fc.boolean(), isRemoval: fc.boolean() })

test('a subscription to openings gets each opening once that lasts until an announcement, except for flaps', () => {
  const property = fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
    const receiver = new OpeningsReceiver()
    for (const { id, isAnnounced, isRemoval } of changes) {
      receiver.change(id, isRemoval)
      if (isAnnounced) receiver.announce()
    }
    receiver.announce()
  })
  fc.assert(property, { numRuns: casesOf(2000) })
})

test('carries at most 1,000 slots that may return, and none after ten minutes', () => {
  const slots = Array.from({ length: 600 }, (_, n): [string, number] => [`${n}`, n])
  const more = slots.map(([id, startMs]): [string, number] => [`more-${id}`, startMs])
  const rows = [rowOf('opened', 2, slots), rowOf('opened', 3, more), rowOf('removed', 4, [...slots, ...more])]
  const carriedAfter = (recentAfter: number) =>
    netMatches(rows, { wanted: OPENED, heldSources: new Set(), recentAfter }).carried
  const opened = carriedAfter(3).filter(({ kind }) => kind === 'opened')
  assert.equal(
    opened.reduce((sum, { total }) => sum + total, 0),
    EVENT_IDS_MAX,
  )
  assert.deepEqual(carriedAfter(4), [])
})

test('carries few rows of slots that go again and again', () => {
  const slot: [string, number][] = [['a', 1]]
  const rows = Array.from({ length: 20 }, (_, n) => rowOf(n % 2 === 0 ? 'opened' : 'removed', n + 2, slot))
  const { carried } = netMatches(rows, { wanted: OPENED, heldSources: new Set(), recentAfter: 0 })
  assert.deepEqual(
    carried.map(({ kind }) => kind),
    ['opened', 'removed'],
  )
})

/** A receiver of `slots.opened`, which was subscribed while no slot was open. */
class OpeningsReceiver {
  readonly #open = new Set<string>()
  readonly #known = new Set<string>()
  readonly #gone = new Map<string, { at: number; isRemoval: boolean; announcements: number }>()
  #commits = 0
  #announcements = 0
  #rows: FilterMatches[] = []

  change(id: string, isRemoval: boolean): void {
    const at = ++this.#commits
    const gone = this.#gone.get(id)
    const isFlap = gone?.isRemoval === true && at - gone.at <= FLAP
    const kind = this.#open.has(id) ? (isRemoval ? 'removed' : 'closed') : isFlap ? 'returned' : 'opened'
    this.#rows.push(rowOf(kind, at, [[id, 1]]))
    if (this.#open.delete(id)) this.#gone.set(id, { at, isRemoval, announcements: this.#announcements })
    else {
      this.#open.add(id)
      // One that closes and opens between two announcements is as it was.
      if (kind === 'opened' && gone?.announcements !== this.#announcements) this.#known.delete(id)
    }
  }

  announce(): void {
    const recentAfter = this.#commits - FLAP - 1
    const { events, carried } = netMatches(this.#rows, { wanted: OPENED, heldSources: new Set(), recentAfter })
    for (const id of events.flatMap(({ ids }) => ids)) {
      assert.ok(!this.#known.has(id), `${id} is announced twice`)
      this.#known.add(id)
    }
    for (const id of this.#open) assert.ok(this.#known.has(id), `${id} is not announced`)
    this.#rows = [...carried]
    this.#announcements++
  }
}

function outcomeOf(kinds: readonly MatchKind[], wanted: readonly SubscriptionEvent[]): string {
  const { events, heldBack } = net(
    kinds.map((kind, at) => rowOf(kind, at + 1, [['a', 1]])),
    wanted,
  )
  const outcomes = [...events.map(({ type }) => type), ...Object.keys(heldBack)]
  return outcomes.join() || 'nothing'
}

function net(rows: readonly FilterMatches[], wanted: readonly SubscriptionEvent[]) {
  return netMatches(rows, { wanted, heldSources: new Set(), recentAfter: 0 })
}

function rowOf(kind: MatchKind, revision: number, slots: [string, number][]): FilterMatches {
  return { filtersKey: 'f', revision, kind, sourceId: 1, total: slots.length, slots }
}
