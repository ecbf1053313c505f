import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { OFFERINGS, query, slotIn, spreadId } from '../../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../../test/support/slot-index/reference-index.ts'
import { defined } from '../../lib/optional.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { GeoRadius } from '../../slot/geo-radius.ts'
import type { Offering, Slot } from '../../slot/slot.ts'
import type { SlotQuery } from '../../slot/slot-query.ts'
import { IndexView } from '../index-view.ts'
import { matchRows } from '../matching/matched-rows.ts'
import { LEVEL_LIMITS } from '../runs/levels.ts'
import { distanceOf } from './distance-matches.ts'
import { CountedWindows, matchPrefix, PrefixMatches } from './prefix-matches.ts'

const LIMITS = { ...LEVEL_LIMITS, runRowsMax: 64, zeroRowsMin: 64, zeroShare: 1 / 8 }

/** So many that most filters match more than are looked up one by one. */
const MANY = Array.from({ length: 80 }, (_, n) =>
  OFFERINGS.map((offering): Offering => ({ ...offering, scheduleId: `${offering.scheduleId}-${n}` })),
).flat()

const [SAMPLE] = fc.sample(slotIn, { numRuns: 1, seed: 1 })

/** A slot that starts in so many minutes. */
function slotAt(n: number, minutes: number, offering: Offering): Slot {
  const startMs = minutes * MINUTE_MS
  const start = new Date(startMs).toISOString()
  return { ...SAMPLE, id: spreadId(n), status: 'free', start, startMs, endMs: startMs + 10 * MINUTE_MS, offering }
}

/** Slots of many offerings in many runs, of which some have ended or been deleted; after some steps of a merge. */
function manyRuns(merges: number): ReferenceIndex {
  const reference = new ReferenceIndex(LIMITS)
  const slots = Array.from({ length: 2000 }, (_, n) => slotAt(n, (n * 7) % 500, MANY[(n * 11) % MANY.length]))
  const remove = slots.slice(0, 100).map(({ id }) => id)
  reference.change({ put: slots.slice(0, 1900), remove: [] })
  reference.change({ put: slots.slice(1900), remove, merges })
  reference.nowMs = 20 * MINUTE_MS
  return reference
}

const laterMs = fc.option(
  fc.integer({ min: 0, max: 520 }).map((minutes) => minutes * MINUTE_MS),
  { nil: undefined },
)

/** Queries of which some bound the first start, and some the last. */
const asked = fc
  .record({ query, laterMs, beforeMs: laterMs, offset: fc.nat(400) })
  .map(({ query, laterMs, beforeMs, offset }): SlotQuery => {
    const { startAfterMs: _, startBeforeMs: __, ...rest } = query
    const bounds = defined({ startAfterMs: laterMs, startBeforeMs: beforeMs })
    return { ...rest, ...bounds, offset: rest.cursor ? 0 : offset }
  })

/** Everywhere but around the pole. */
const NEARLY_ALL = { latitude: 42.3, longitude: -71.5, radiusKm: 15_000 }
/** All of it, and a part. */
const near = fc
  .constantFrom(50, NEARLY_ALL.radiusKm)
  .map((radiusKm): SlotQuery['near'] & object => ({ ...NEARLY_ALL, radiusKm }))

for (const [name, merges] of [
  ['with runs of level 0', 1],
  ['without', Infinity],
] as const) {
  test(`pages of filters that many offerings pass equal those of the naive index, ${name}`, () => {
    const reference = manyRuns(merges)
    fc.assert(
      fc.property(asked, fc.option(near, { nil: undefined }), (each, near) =>
        reference.check({ ...each, ...(near && { near }) }),
      ),
      { numRuns: casesOf(200) },
    )
  })

  test(`pages by distance with many offerings at each place equal those of the naive index, ${name}`, () => {
    const reference = manyRuns(merges)
    fc.assert(
      fc.property(asked, near, (each, near) => reference.check({ ...each, near, sort: 'distance' })),
      { numRuns: casesOf(200) },
    )
  })
}

test('pages up to each last start equal those of the naive index, whether the rows of the window are counted or not yet', () => {
  const reference = manyRuns(Infinity)
  const filters = { status: 'free', sort: 'start', limit: 3, acceptingPatients: 'newpt' } as const
  for (let minutes = 21; minutes < 520; minutes += 4)
    for (const startAfterMs of [undefined, 40 * MINUTE_MS, 90 * MINUTE_MS])
      for (const offset of [0, 1, 2, 1000]) {
        const bounds = defined({ startAfterMs, startBeforeMs: minutes * MINUTE_MS })
        reference.check({ ...filters, near: NEARLY_ALL, ...bounds, offset })
      }
})

test('counts no rows for a window that ends before it begins', () => {
  const reference = new ReferenceIndex(LEVEL_LIMITS)
  const put = MANY.map((offering, n) => slotAt(n, 10 + (n % 90), offering))
  reference.change({ put, remove: [] })
  const bounds = { startAfterMs: 60 * MINUTE_MS, startBeforeMs: 30 * MINUTE_MS }
  reference.check({ status: 'free', sort: 'start', limit: 5, offset: 0, near: NEARLY_ALL, isVirtual: false, ...bounds })
})

test('counts through positions behind the last start', () => {
  const { index, nowMs } = manyRuns(Infinity)
  const { counts } = index.view(nowMs)
  const { content, open } = index.openSnapshot()
  const filters = { status: 'free', near: NEARLY_ALL, startBeforeMs: 450 * MINUTE_MS } as const
  const bounds = new CountedWindows(content, open).boundsOf(filters)
  assert.ok(bounds)
  const matches = runAtOnce(matchPrefix({ content, open, counts }, filters, bounds))
  assert.ok(matches instanceof PrefixMatches)
  assert.equal(matches.countThrough({ startMs: 490 * MINUTE_MS, id: spreadId(0) }), matches.count)
})

test('counts more offerings than a step reads, by their lists, bits and places', () => {
  const reference = new ReferenceIndex(LEVEL_LIMITS)
  const offerings = Array.from({ length: 17_000 }, (_, n): Offering => {
    const location = { state: n % 5 === 0 ? 'NH' : 'MA', latitude: 42 + (n % 100) / 100, longitude: -71 }
    const modality = n % 2 === 0 ? 'virtual' : 'in-person'
    const acceptingPatients = n % 3 === 0 ? 'newpt' : 'existptonly'
    const isVirtual = modality === 'virtual'
    return { publisher: 'p', scheduleId: `${n}`, isVirtual, modalities: [modality], acceptingPatients, location }
  })
  reference.change({ put: offerings.map((offering, n) => slotAt(n, 10 + (n % 90), offering)), remove: [] })
  const near = { latitude: 42.2, longitude: -71, radiusKm: 20 }
  const filters: Partial<SlotQuery>[] = [
    { isVirtual: true, acceptingPatients: 'newpt' },
    { near },
    { near: { ...near, radiusKm: 500 } },
    { near, states: ['MA'] },
    { near, states: ['MA'], isVirtual: true, acceptingPatients: 'newpt' },
    { near, states: ['NH'] },
  ]
  for (const each of filters) reference.check({ status: 'free', sort: 'start', limit: 20, offset: 7, ...each })
})

test('weighs the bitmaps of its filters', () => {
  const { content, open } = manyRuns(Infinity).index.openSnapshot()
  const { counts } = new IndexView(content, open)
  const filters = { status: 'free', scheduleId: MANY[0].scheduleId } as const
  const ends = Array.from({ length: 7 }, () => Number.POSITIVE_INFINITY)
  const { weight } = runAtOnce(matchPrefix({ content, open, counts }, filters, { ends, counted: { status: 'free' } }))
  assert.ok(weight >= 14 + MANY.length / 32, `${weight}`)
})

test('rows by distance can all be read, and counted up to each, however many runs they are in', () => {
  const { index, nowMs } = manyRuns(Infinity)
  const { offerings } = index.openSnapshot().content.tables
  const circle = new GeoRadius(NEARLY_ALL)
  // Another state of the index has other matches.
  const newMatches = () => {
    index.show(index.openSnapshot().content, nowMs)
    return runAtOnce(index.view(nowMs).matches({ status: 'free', sort: 'distance', near: NEARLY_ALL }))
  }
  const matches = newMatches()
  const reader = matches.read(0, Number.MAX_SAFE_INTEGER)
  let rows = 0
  while (reader.next()) {
    rows++
    const { run, row } = reader
    const distanceKm = distanceOf(offerings, circle, run.offeringOf(row))
    const position = { startMs: run.startMsOf(row), id: run.idOf(row), distanceKm }
    if (rows % 60 === 0) assert.equal(newMatches().countThrough(position), rows)
  }
  assert.ok(rows > 400)
  assert.equal(rows, matches.count)
})

/** Matches of ten runs of ten slots each, and the instants up to which they were found. */
function matchesOfRuns() {
  const changing = new ChangingIndex({ limits: { ...LEVEL_LIMITS, runRowsMax: 10, zeroRowsMin: 0, zeroShare: 0 } })
  const put = Array.from({ length: 100 }, (_, n) => slotAt(n, n, OFFERINGS[0]))
  changing.change({ put })
  const { content, open } = changing.index.openSnapshot()
  const ends = Array.from({ length: 10 }, (_, n) => (n === 9 ? Number.POSITIVE_INFINITY : (n * 10 + 9) * MINUTE_MS))
  const found: number[] = []
  const prefixes = (count: number) =>
    new PrefixMatches(count, {
      ends,
      weight: 10,
      *find(untilMs) {
        found.push(ends.indexOf(untilMs) + 1)
        yield
        return yield* matchRows(content, open, { status: 'free', startAfterMs: 0, startBeforeMs: untilMs })
      },
      onGrowth: () => found.push(0),
    })
  return { prefixes, found, put }
}

/** The minutes at which some of the matches start. */
function startsOf(matches: PrefixMatches, from: number, count: number): number[] {
  runAtOnce(matches.prepare(from, count))
  const reader = matches.read(from, count)
  return Array.from({ length: count }, () => (reader.next() ? reader.run.startMsOf(reader.row) / MINUTE_MS : -1))
}

test('finds twice as many rows as are read, and further ones when they are needed', () => {
  const { prefixes, found } = matchesOfRuns()
  const matches = prefixes(100)
  assert.equal(matches.weight, 10)
  assert.deepEqual(startsOf(matches, 3, 2), [3, 4])
  assert.deepEqual(found, [1, 0])
  assert.deepEqual(startsOf(matches, 8, 2), [8, 9])
  assert.deepEqual(startsOf(matches, 10, 1), [10])
  assert.deepEqual(startsOf(matches, 99, 1), [99])
  assert.deepEqual(found, [1, 0, 3, 0, 10, 0])
  assert.ok(matches.weight > 10)
})

test('finds four times as many rows if they are fewer at the beginning than later', () => {
  const { prefixes, found } = matchesOfRuns()
  // As if each run had a hundred.
  assert.deepEqual(startsOf(prefixes(1000), 29, 1), [29])
  assert.deepEqual(found, [1, 0, 4, 0])
})

test('reads and counts without preparation, and counts through positions behind the last row', () => {
  const { prefixes, put } = matchesOfRuns()
  const reader = prefixes(100).read(42, 1)
  assert.ok(reader.next())
  assert.equal(reader.run.startMsOf(reader.row), 42 * MINUTE_MS)
  const counts = [-1, 0, 42, 99, 200].map((n) => {
    const { startMs = n * MINUTE_MS, id = put[0].id } = put[n] ?? {}
    return prefixes(100).countThrough({ startMs, id })
  })
  assert.deepEqual(counts, [0, 1, 43, 100, 100])
})

test('keeps the rows that another request has found meanwhile', () => {
  const { prefixes, found } = matchesOfRuns()
  const matches = prefixes(100)
  const paused = matches.prepare(0, 1)
  assert.equal(paused.next().done, false)
  runAtOnce(matches.prepare(99, 1))
  runAtOnce(paused)
  assert.deepEqual(startsOf(matches, 98, 2), [98, 99])
  assert.deepEqual(found, [1, 10, 0])
})
