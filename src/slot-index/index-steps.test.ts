import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../test/support/cases.ts'
import { fillIndex } from '../../test/support/fill-index.ts'
import { pausesOf } from '../../test/support/pauses.ts'
import { ChangingIndex } from '../../test/support/slot-index/changing-index.ts'
import { query, slotIn, spreadId } from '../../test/support/slot-index/index-samples.ts'
import { naiveActors, naiveFacets, naiveMatches } from '../../test/support/slot-index/naive-counts.ts'
import { naiveSelect } from '../../test/support/slot-index/naive-index.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { runAtOnce, type Steps } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { GeoRadius } from '../slot/geo-radius.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import type { Near } from '../slot/slot-filters.ts'
import type { SlotQuery } from '../slot/slot-query.ts'
import { IndexView } from './index-view.ts'
import { SlotIndex } from './slot-index.ts'

/** Of two minutes: samples begin within seven. */
const SHORT_DAYS = (ms: number) => ({
  date: String(Math.floor(ms / 120_000)),
  endMs: (Math.floor(ms / 120_000) + 1) * 120_000,
})

/** The change that is applied while the queries run. */
const change = fc.record({
  put: fc.array(slotIn, { maxLength: 40 }),
  remove: fc.array(fc.nat(60), { maxLength: 40 }),
  whole: fc.boolean(),
  merges: fc.constantFrom(0, 1, Infinity),
  passMs: fc.constantFrom(0, MINUTE_MS, 2.5 * MINUTE_MS),
})

test('queries that pause return what the naive index had when they began, whatever changes meanwhile', () => {
  fc.assert(
    fc.property(
      fc.array(slotIn, { maxLength: 60 }),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.array(query, { minLength: 1, maxLength: 4 }),
      (slots, changes, queries) => {
        const reference = new ReferenceIndex()
        reference.change({ put: slots, remove: [], whole: true })
        const paused = queries.map((asked) => new PausedQuery(reference, asked))
        for (const { put, remove, whole, merges, passMs } of changes) {
          const removed = reference.idsOf(remove)
          let piece = 0
          reference.change({ put, remove: removed, whole, merges }, () => {
            if (piece++ % 5 === 0) for (const each of paused) each.step()
          })
          reference.nowMs += passMs
          reference.index.advance(reference.nowMs)
        }
        for (const each of paused) each.finish()
      },
    ),
    { numRuns: casesOf(300) },
  )
})

test('facets that pause leave out a value that is added meanwhile', () => {
  const [virtual, inPerson] = [true, false].map((isVirtual): Offering => {
    return { publisher: 'p', scheduleId: 's', isVirtual, modalities: [isVirtual ? 'virtual' : 'in-person'] }
  })
  const [slot, other] = fc.sample(slotIn, { numRuns: 2, seed: 1 })
  const open = { ...slot, status: 'free', endMs: MINUTE_MS * 10 } as const
  let isDone = false
  for (let steps = 0; !isDone; steps++) {
    const changing = new ChangingIndex()
    changing.change({ put: [{ ...open, offering: inPerson }] })
    const facets = changing.index.inSteps(
      () => 0,
      (view) => view.counts.facets({ status: 'free' }, SHORT_DAYS),
    )
    let step = facets.next()
    for (let n = 0; n < steps && step.done !== true; n++) step = facets.next()
    isDone = step.done === true
    changing.change({ put: [{ ...open, id: other.id, offering: virtual }] })
    while (step.done !== true) step = facets.next()
    assert.deepEqual([step.value.total, step.value.isVirtual], [1, { true: 0, false: 1 }])
  }
})

test('counts more offerings than a step reads', () => {
  const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const slots = Array.from({ length: 20_000 }, (_, n): Slot => {
    const provider = { name: `${n % 2}`, ...(n % 10 === 0 && { specialty: 'Cardiology' }) }
    const offering = { publisher: 'p', scheduleId: String(n), isVirtual: true, provider }
    return { ...slot, id: spreadId(n), status: 'free', endMs: MINUTE_MS * 10, offering }
  })
  const index = new SlotIndex()
  fillIndex(index, slots)
  const { counts } = index.view(0)
  // The counts of all, of many, and of some.
  for (const [filters, count] of [
    [{}, slots.length],
    [{ isVirtual: true }, slots.length],
    [{ specialty: 'Cardiology' }, slots.length / 10],
  ] as const)
    assert.equal(runAtOnce(counts.facets({ status: 'free', ...filters }, SHORT_DAYS)).isVirtual.true, count)
  for (const [filters, isPartial] of [
    [{}, true],
    [{ specialty: 'Cardiology' }, false],
  ] as const)
    assert.equal(runAtOnce(counts.values({ status: 'free', ...filters }, 'scheduleId', '')).isPartial, isPartial)
  const { actors } = runAtOnce(counts.actors({ status: 'free', sort: 'start', limit: 5, offset: 0 }))
  assert.deepEqual(
    actors.map(({ totalSlots }) => totalSlots),
    [slots.length / 2, slots.length / 2],
  )
})

test('counts no offering that is added after the rows of a window were counted', () => {
  const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const put = Array.from({ length: 40 }, (_, n): Slot => {
    const offering = { publisher: 'p', scheduleId: String(n), isVirtual: true, provider: { name: String(n) } }
    return { ...slot, id: spreadId(n), status: 'free', endMs: MINUTE_MS * 10, offering }
  })
  const changing = new ChangingIndex()
  changing.change({ put: put.slice(0, 30) })
  const { counts } = changing.index.view(0)
  const asked = { status: 'free', sort: 'start', limit: 5, offset: 0 } as const
  assert.equal(runAtOnce(counts.actors(asked)).total, 30)
  changing.change({ put: put.slice(30) })
  assert.equal(runAtOnce(counts.actors({ ...asked, isVirtual: true })).total, 30)
})

test('suggests a city with the number of slots before a location that is added meanwhile', () => {
  const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const put = ['a', 'b'].map((scheduleId, n): Slot => {
    const location = { city: 'Boston', state: 'MA', latitude: 42 + n, longitude: -71 }
    const offering = { publisher: 'p', scheduleId, isVirtual: false, location }
    return { ...slot, id: spreadId(n), status: 'free', endMs: MINUTE_MS * 10, offering }
  })
  let isDone = false
  for (let steps = 0; !isDone; steps++) {
    const changing = new ChangingIndex()
    changing.change({ put: put.slice(0, 1) })
    const cities = changing.index.inSteps(
      () => 0,
      (view) => view.counts.cities('Bos'),
    )
    let step = cities.next()
    for (let n = 0; n < steps && step.done !== true; n++) step = cities.next()
    isDone = step.done === true
    changing.change({ put: put.slice(1) })
    while (step.done !== true) step = cities.next()
    assert.deepEqual(step.value, [{ name: 'Boston, MA', latitude: 42, longitude: -71, slots: 1 }])
  }
})

test('pauses between the states of a count by state, and while the rows of a circle are found', () => {
  const changing = new ChangingIndex()
  const near = { latitude: 42.36, longitude: -71.06, radiusKm: 500 }
  const offerings = ['MA', 'NH', 'RI'].map((state): Offering => {
    return {
      publisher: 'p',
      scheduleId: state,
      isVirtual: false,
      location: { state, latitude: 42.4, longitude: -71.1 },
    }
  })
  const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const put = Array.from({ length: 15_000 }, (_, n) => {
    return { ...slot, id: spreadId(n), status: 'free', endMs: MINUTE_MS * 10, offering: offerings[n % 3] } as const
  })
  changing.change({ put })
  const view = changing.index.view(0)
  assert.ok(pausesOf(view.countStarts({ status: 'free', sort: 'start', limit: 1, offset: 0 }, [0, 1])).pauses >= 3)
  assert.ok(pausesOf(view.matches({ status: 'free', sort: 'start', near })).pauses >= 1)
})

/** Slots with one start, each at another place, the nearest first. */
function slotsByDistance(length: number) {
  const changing = new ChangingIndex()
  const near = { latitude: 42.36, longitude: -71.06, radiusKm: 500 }
  const [slot] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const put = Array.from({ length }, (_, n) => {
    const location = { latitude: 42.4 + n / 100, longitude: -71.1 }
    const offering: Offering = { publisher: 'p', scheduleId: `${n}`, isVirtual: false, location }
    return { ...slot, id: String(n).padStart(24, '0'), status: 'free', endMs: MINUTE_MS * 10, offering } as const
  })
  changing.change({ put })
  return { changing, near, put }
}

test('pauses after each distance while the nearest slots of a page are found', () => {
  const { changing, near, put } = slotsByDistance(60)
  const asked = { status: 'free', sort: 'distance', near, limit: 20 } as const
  const view = changing.index.view(0)
  // Counts and sorts all distances.
  const first = pausesOf(view.select({ ...asked, limit: 0, offset: 0 }, Buffer.allocUnsafeSlow))
  assert.ok(first.pauses < 20)
  const page = pausesOf(view.select({ ...asked, offset: 10 }, Buffer.allocUnsafeSlow))
  assert.equal(page.pauses, 20)
  const ids = JSON.parse(page.result.body.toString()).slots.map(({ id }: { id: string }) => Number(id))
  assert.deepEqual(
    ids,
    Array.from({ length: 20 }, (_, n) => 10 + n),
  )
  const after = { startMs: put[29].startMs, id: put[29].id, distanceKm: distanceTo(put[29].offering, near) }
  const next = pausesOf(view.select({ ...asked, offset: 0, cursor: { after } }, Buffer.allocUnsafeSlow))
  assert.equal(next.pauses, 21)
})

test('pauses while the rings before a page in order of distance are formed', () => {
  const { changing, near } = slotsByDistance(200)
  const asked = { status: 'free', sort: 'distance', near, limit: 1 } as const
  const { content, open } = changing.index.openSnapshot()
  const pausesAt = (offset: number) =>
    pausesOf(new IndexView(content, open).select({ ...asked, offset }, Buffer.allocUnsafeSlow)).pauses
  assert.equal(pausesAt(199) - pausesAt(0), 3)
})

function distanceTo({ location: { latitude = 0, longitude = 0 } = {} }: Offering, near: Near): number {
  return new GeoRadius(near).distanceKm(latitude, longitude)
}

/** Some queries of one filter, each paused after every step, and what they must return. */
class PausedQuery {
  readonly #running: Steps<unknown>[]
  readonly #expected: unknown[]
  readonly #results: unknown[] = []

  constructor({ index, slots, nowMs }: ReferenceIndex, asked: SlotQuery) {
    const matching = naiveMatches(slots.values(), asked, nowMs)
    const expected = naiveSelect([...slots.values()], asked, nowMs)
    this.#expected = [expected, naiveFacets(matching, SHORT_DAYS, asked), naiveActors(matching, asked)]
    const now = () => nowMs
    this.#running = [
      index.inSteps(now, function* (view) {
        const { body, total, last, nextStartMs } = yield* view.select(asked, Buffer.allocUnsafeSlow)
        return { slots: JSON.parse(body.toString()).slots, total, last: last?.id, nextStartMs }
      }),
      index.inSteps(now, (view) => view.counts.facets(asked, SHORT_DAYS)),
      index.inSteps(now, (view) => view.counts.actors(asked)),
    ]
    this.step()
  }

  step(): void {
    for (const [n, steps] of this.#running.entries()) {
      if (n in this.#results) continue
      const step = steps.next()
      if (step.done === true) this.#results[n] = step.value
    }
  }

  finish(): void {
    while (this.#running.some((_, n) => !(n in this.#results))) this.step()
    assert.deepEqual(this.#results, this.#expected)
  }
}
