import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedHistory, type PublishedSlot, type Version } from './feed-history.ts'
import { judge, type RequestedPage, type ServedPage } from './judge.ts'

const REQUEST: RequestedPage = { status: 'free', limit: 20, offset: 10 }

test('accepts a page of one version of each publisher, and returns the oldest that it can be of', () => {
  const [north, south] = histories()
  const request = { ...REQUEST, offset: 0 }
  const page = pageOf([north.latest, versionOf(south, 2)], request)
  const floor = judge([north, south], new Map([['north', 1]]), { request, page })
  assert.deepEqual(Object.fromEntries(floor ?? []), { north: 4, south: 2 })
})

test('rejects a page of an outdated version', () => {
  const [north, south] = histories()
  const request = { ...REQUEST, offset: 0 }
  const page = pageOf([north.latest, versionOf(south, 2)], request)
  assert.equal(judge([north, south], new Map([['south', 3]]), { request, page }), undefined)
})

test('rejects a mixture of two versions of one publisher', () => {
  const [north, south] = histories()
  const [old, now] = [versionOf(north, 1).slots, north.latest.slots]
  const mixed = [...old.slice(0, 30), ...now.filter(({ startMs }) => startMs > old[29].startMs)]
  const mixture = {
    ...north.latest,
    select: (status: string) => mixed.filter((slot) => slot.status === status),
  }
  const request: RequestedPage = { status: 'free', publisher: 'north', limit: 100, offset: 0 }
  assert.equal(judge([north, south], new Map(), { request, page: pageOf([mixture], request) }), undefined)
})

test('rejects a missing slot, a wrong order, a wrong total and a wrong offset', () => {
  const [north, south] = histories()
  const page = pageOf([north.latest, south.latest], REQUEST)
  const [first, second, ...rest] = page.slots
  const wrong: ServedPage[] = [
    { ...page, slots: [first, ...rest] },
    { ...page, slots: [second, first, ...rest] },
    { ...page, total: page.total + 1 },
    pageOf([north.latest, south.latest], { ...REQUEST, offset: 11 }),
    { slots: [], total: page.total },
  ]
  // Some may match older versions by chance.
  const newest = new Map([
    ['north', 4],
    ['south', 4],
  ])
  for (const each of wrong) assert.equal(judge([north, south], newest, { request: REQUEST, page: each }), undefined)
})

test('an empty page past the end requires the correct total', () => {
  const [north, south] = histories()
  const request: RequestedPage = { status: 'free', state: 'MA', limit: 5, offset: 10_000 }
  const page = pageOf([north.latest, south.latest], request)
  assert.ok(judge([north, south], new Map(), { request, page }))
  assert.equal(judge([north, south], new Map(), { request, page: { slots: [], total: 9999 } }), undefined)
})

/** Two publishers with versions 0 to 4. */
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

function pageOf(
  versions: readonly Pick<Version, 'select'>[],
  { status, state, limit, offset }: RequestedPage,
): ServedPage {
  const all = versions.flatMap((version): readonly PublishedSlot[] => version.select(status, state))
  const slots = all
    .sort((a, b) => a.startMs - b.startMs)
    .slice(offset, offset + limit)
    .map((slot) => ({ ...slot, start: new Date(slot.startMs).toISOString() }))
  return { slots, total: all.length }
}
