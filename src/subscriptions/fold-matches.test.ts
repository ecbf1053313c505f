import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { EVENT_IDS_MAX, type SubscriptionEvent } from '../shared/subscription-vocabulary.ts'
import type { FilterMatches, MatchKind } from '../store/contracts/subscription-matches.ts'
import { foldMatches } from './fold-matches.ts'
import { netMatches } from './net-matches.ts'

const WANTED: SubscriptionEvent[][] = [['slots.opened', 'slots.closed'], ['slots.opened']]

/** A change of one slot; `isSpecial`: in a first snapshot, or a return. */
const change = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  isSpecial: fc.boolean(),
  isRemoval: fc.boolean(),
  unknown: fc.constantFrom(0, 0, 0, 5),
})

test('folded matches announce the same as all, with any later matches and after further folds', () => {
  const folds = fc.array(fc.nat(30), { maxLength: 4 })
  const property = fc.property(fc.array(change, { maxLength: 30 }), folds, fc.boolean(), (changes, at, isOpen) => {
    const all = rowsOf(changes, isOpen)
    let folded: FilterMatches[] = []
    for (const [n, row] of all.entries()) {
      folded.push(row)
      if (at.includes(n)) folded = foldMatches(folded)
    }
    for (const wanted of WANTED) assert.deepEqual(outcomeOf(folded, wanted), outcomeOf(all, wanted))
  })
  fc.assert(property, { numRuns: casesOf(3000) })
})

test('folds the rows of a source into three revisions, with at most 1,000 slots', () => {
  const rows = Array.from({ length: 1500 }, (_, n) => rowOf('opened', n + 1, `slot-${n}`))
  const [folded, ...others] = foldMatches(rows)
  assert.deepEqual(others, [])
  assert.deepEqual([folded.revision, folded.total, folded.slots.length], [1, 1500, EVENT_IDS_MAX])
  const closed = rows.map(({ slots: [[id]] }, n) => rowOf('closed', 2001 + n, id))
  const both = foldMatches([...rows, ...closed])
  assert.deepEqual(new Set(both.map(({ revision }) => revision)), new Set([1, 3500]))
  assert.deepEqual(outcomeOf(both, WANTED[0]), { events: [], heldBack: {} })
})

function rowsOf(
  changes: readonly (typeof change extends fc.Arbitrary<infer Change> ? Change : never)[],
  isOpen: boolean,
) {
  const open = new Set(isOpen ? ['a', 'b', 'c'] : [])
  const removed = new Set(isOpen ? [] : ['c'])
  return changes.map(({ id, isSpecial, isRemoval, unknown }, n): FilterMatches => {
    const kind = open.delete(id) ? (isRemoval ? 'removed' : 'closed') : openingOf(removed.has(id), isSpecial)
    if (kind === 'removed') removed.add(id)
    else removed.delete(id)
    if (kind !== 'removed' && kind !== 'closed') open.add(id)
    const row = rowOf(kind, n + 1, id, id === 'a' ? 1 : 2)
    return { ...row, total: row.total + unknown }
  })
}

function openingOf(isRemoved: boolean, isSpecial: boolean): MatchKind {
  if (!isSpecial) return 'opened'
  return isRemoved ? 'returned' : 'first-sync'
}

/** Without revisions, and so not in their order. */
function outcomeOf(rows: readonly FilterMatches[], wanted: readonly SubscriptionEvent[]) {
  const { events, heldBack } = netMatches(rows, { wanted, heldSources: new Set(), recentAfter: 0 })
  const byType = Map.groupBy(events, ({ type }) => type)
  return {
    events: wanted.flatMap((type) => byType.get(type) ?? []).map(({ type, total, ids }) => ({ type, total, ids })),
    heldBack,
  }
}

function rowOf(kind: MatchKind, revision: number, id: string, sourceId = 1): FilterMatches {
  return { filtersKey: 'f', revision, kind, sourceId, total: 1, slots: [[id, 1]] }
}
