import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { query, slotIn } from '../../test/support/slot-index/index-samples.ts'
import { naiveActors, naiveFacets, naiveMatches } from '../../test/support/slot-index/naive-counts.ts'
import { naiveSelect } from '../../test/support/slot-index/naive-index.ts'
import { ReferenceIndex } from '../../test/support/slot-index/reference-index.ts'
import { runAtOnce, type Steps } from '../lib/steps.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { SlotQuery } from '../slot/slot-query.ts'

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
        reference.change(slots, [], true)
        const paused = queries.map((asked) => new PausedQuery(reference, asked))
        for (const [n, { put, remove, whole, passMs }] of changes.entries()) {
          const ids = [...reference.slots.keys()]
          const removed = remove.filter((n) => n < ids.length).map((n) => ids[n])
          let piece = 0
          // A second full load closes the snapshots of the state before the first.
          reference.change(put, removed, whole && n === 0, () => {
            if (piece++ % 5 === 0) for (const each of paused) each.step()
          })
          reference.nowMs += passMs
          reference.index.advance(reference.nowMs)
        }
        for (const each of paused) each.finish()
      },
    ),
    { numRuns: 300 },
  )
})

test('starts over with the current state if its snapshot had to be closed', () => {
  const reference = new ReferenceIndex()
  const [before, after] = fc.sample(slotIn, { numRuns: 2, seed: 1 })
  reference.change([before], [], true)
  const steps = reference.index.inSteps(
    () => 0,
    function* (view) {
      yield
      return view.version
    },
  )
  steps.next()
  // Snapshots of at most one former state stay open.
  for (let load = 0; load < 2; load++) reference.change([after], [], true)
  assert.equal(runAtOnce(steps), reference.index.version)
  assert.equal(reference.index.openSnapshot().state.snapshots.size, 1)
})

test('closes its snapshot when it ends, fails or is abandoned', () => {
  const { index } = new ReferenceIndex()
  const { snapshots } = index.openSnapshot().state
  const wait = function* (): Steps<void> {
    for (;;) yield
  }
  const fail = function* (): Steps<void> {
    yield
    throw new Error('failed')
  }
  const abandoned = index.inSteps(() => 0, wait)
  abandoned.next()
  assert.equal(snapshots.size, 2)
  abandoned.return(undefined as never)
  assert.throws(() => runAtOnce(index.inSteps(() => 0, fail)), /failed/)
  assert.equal(snapshots.size, 1)
})

/** Some queries of one filter, each paused after every step, and what they must return. */
class PausedQuery {
  readonly #running: Steps<unknown>[]
  readonly #expected: unknown[]
  readonly #results: unknown[] = []

  constructor({ index, slots, nowMs }: ReferenceIndex, asked: SlotQuery) {
    const matching = naiveMatches(slots.values(), asked, nowMs)
    const expected = naiveSelect([...slots.values()], asked, nowMs)
    this.#expected = [expected, naiveFacets(matching, SHORT_DAYS), naiveActors(matching, asked)]
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
