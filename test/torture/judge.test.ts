import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedHistory, type TrueSlot, type Version } from './feed-history.ts'
import { type Asked, type Came, judge } from './judge.ts'

const ASKED: Asked = { status: 'free', limit: 20, offset: 10 }

test('accepts a response of one version of each publisher and reports its maximum age', () => {
  const [north, south] = histories()
  const asked = { ...ASKED, offset: 0 }
  const came = pageOf([north.latest, versionOf(south, 2)], asked)
  const floor = judge([north, south], new Map([['north', 1]]), { asked, came })
  assert.deepEqual(Object.fromEntries(floor ?? []), { north: 4, south: 2 })
})

test('rejects a response of an outdated version', () => {
  const [north, south] = histories()
  const asked = { ...ASKED, offset: 0 }
  const came = pageOf([north.latest, versionOf(south, 2)], asked)
  assert.equal(judge([north, south], new Map([['south', 3]]), { asked, came }), undefined)
})

test('rejects a mixture of two versions of one publisher', () => {
  const [north, south] = histories()
  const [old, now] = [versionOf(north, 1).slots, north.latest.slots]
  const mixed = [...old.slice(0, 30), ...now.filter(({ startMs }) => startMs > old[29].startMs)]
  const mixture = {
    ...north.latest,
    select: (status: string) => mixed.filter((slot) => slot.status === status),
  }
  const asked: Asked = { status: 'free', publisher: 'north', limit: 100, offset: 0 }
  assert.equal(judge([north, south], new Map(), { asked, came: pageOf([mixture], asked) }), undefined)
})

test('rejects a missing slot, a wrong order, a wrong total and a wrong offset', () => {
  const [north, south] = histories()
  const came = pageOf([north.latest, south.latest], ASKED)
  const [first, second, ...rest] = came.slots
  const wrong: Came[] = [
    { ...came, slots: [first, ...rest] },
    { ...came, slots: [second, first, ...rest] },
    { ...came, total: came.total + 1 },
    pageOf([north.latest, south.latest], { ...ASKED, offset: 11 }),
    { slots: [], total: came.total },
  ]
  // Of older versions, one or the other may be right by chance.
  const newest = new Map([
    ['north', 4],
    ['south', 4],
  ])
  for (const each of wrong) assert.equal(judge([north, south], newest, { asked: ASKED, came: each }), undefined)
})

test('an empty page past the end requires the correct total', () => {
  const [north, south] = histories()
  const asked: Asked = { status: 'free', state: 'MA', limit: 5, offset: 10_000 }
  const came = pageOf([north.latest, south.latest], asked)
  assert.ok(judge([north, south], new Map(), { asked, came }))
  assert.equal(judge([north, south], new Map(), { asked, came: { slots: [], total: 9999 } }), undefined)
})

/** Each with versions 0 to 4. */
function histories(): [FeedHistory, FeedHistory] {
  const made = ['north', 'south'].map((slug, number) => {
    const history = new FeedHistory(slug, { places: 100, changedOf100: 6, number })
    while (history.latest.number < 4) history.change()
    return history
  })
  return [made[0], made[1]]
}

function versionOf(history: FeedHistory, number: number): Version {
  const version = history.find(number)
  if (version === undefined) throw new Error(`Cannot go on: version must exist: got "${number}"`)
  return version
}

function pageOf(versions: readonly Pick<Version, 'select'>[], { status, state, limit, offset }: Asked): Came {
  const all = versions.flatMap((version): readonly TrueSlot[] => version.select(status, state))
  const slots = all
    .sort((a, b) => a.startMs - b.startMs)
    .slice(offset, offset + limit)
    .map((slot) => ({ ...slot, start: new Date(slot.startMs).toISOString() }))
  return { slots, total: all.length }
}
