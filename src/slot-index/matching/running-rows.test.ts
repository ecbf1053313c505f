import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { casesOf } from '../../../test/support/cases.ts'
import { pausesOf } from '../../../test/support/pauses.ts'
import { ChangingIndex } from '../../../test/support/slot-index/changing-index.ts'
import { query, slotIn } from '../../../test/support/slot-index/index-samples.ts'
import { ReferenceIndex } from '../../../test/support/slot-index/reference-index.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { IndexContent } from '../index-content.ts'
import type { OfferingTerms } from '../offerings/term-offerings.ts'
import { runsIn } from '../runs/levels.ts'
import type { Run } from '../runs/run.ts'
import { RunningRowsCache } from './running-rows.ts'

const SLOTS = 2000
const LENGTH_MS = 15 * MINUTE_MS

/** An index with slots of a quarter of an hour, as many at each quarter of four. */
function busyContent(): IndexContent {
  const changing = new ChangingIndex()
  const [sample] = fc.sample(slotIn, { numRuns: 1, seed: 1 })
  const put = Array.from({ length: 4 * SLOTS }, (_, n) => {
    const startMs = Math.floor(n / SLOTS) * LENGTH_MS
    return { ...sample, id: String(n).padStart(24, '0'), startMs, endMs: startMs + LENGTH_MS } as const
  })
  changing.change({ put })
  return changing.content
}

/** The run of a content, and terms that must not be read. */
function partsOf({ levels, tables }: IndexContent): { run: Run; terms: OfferingTerms; none: OfferingTerms } {
  const [{ run }] = runsIn(levels)
  const none = {
    get terms(): never {
      throw new Error('A list is made')
    },
    get ends(): never {
      throw new Error('A list is made')
    },
    get termsEnd(): never {
      throw new Error('A list is made')
    },
  }
  return { run, terms: tables.offerings.groups, none }
}

test('makes the rows in progress in steps, also those after the next start or end, and no list twice', () => {
  const { run, terms, none } = partsOf(busyContent())
  const cache = new RunningRowsCache()
  const startsAt = (nowMs: number) => {
    const { rows } = cache.of(run, nowMs, none)
    return [rows?.length, ...new Set(rows?.rows.map((row) => run.startMsOf(row) / LENGTH_MS))]
  }
  const time = { nowMs: MINUTE_MS, untilMs: MINUTE_MS + 1 }
  assert.ok(pausesOf(cache.prepare(run, time, terms)).pauses >= 8)
  assert.deepEqual(startsAt(14 * MINUTE_MS), [SLOTS, 0])
  assert.throws(() => startsAt(15 * MINUTE_MS), { message: 'A list is made' })

  assert.ok(pausesOf(cache.prepare(run, { ...time, untilMs: 15 * MINUTE_MS }, terms)).pauses >= 8)
  assert.equal(pausesOf(cache.prepare(run, { ...time, untilMs: 15 * MINUTE_MS }, none)).pauses, 0)
  assert.deepEqual(startsAt(15 * MINUTE_MS), [SLOTS, 1])
  assert.equal(pausesOf(cache.prepare(run, { nowMs: 16 * MINUTE_MS, untilMs: 16 * MINUTE_MS }, none)).pauses, 0)
})

test('makes a list again after work on it was abandoned', () => {
  const { run, terms, none } = partsOf(busyContent())
  const cache = new RunningRowsCache()
  const time = { nowMs: 0, untilMs: 0 }
  const abandoned = cache.prepare(run, time, terms)
  for (let n = 0; n < 5; n++) abandoned.next()
  abandoned.return()
  assert.ok(pausesOf(cache.prepare(run, time, terms)).pauses >= 8)
  assert.equal(cache.of(run, 0, none).rows?.length, SLOTS)
  const offerings = [...(cache.of(run, 0, none).rows?.terms ?? [])]
  assert.deepEqual(offerings, [...(new RunningRowsCache().of(run, 0, terms).rows?.terms ?? [])])
})

const passing = fc.record({
  put: fc.array(slotIn, { maxLength: 20 }),
  remove: fc.array(fc.nat(60), { maxLength: 10 }),
  /** May set the clock back. */
  passMs: fc.constantFrom(0, 1, MINUTE_MS, 1.5 * MINUTE_MS, 3 * MINUTE_MS, -MINUTE_MS),
  steps: fc.constantFrom(0, 1, 3, Infinity),
})

test('returns what the naive index has, however far the rows in progress are prepared', () => {
  fc.assert(
    fc.property(
      fc.array(slotIn, { maxLength: 60 }),
      fc.array(passing, { minLength: 1, maxLength: 8 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      (slots, passed, queries) => {
        const reference = new ReferenceIndex()
        reference.change({ put: slots, remove: [], whole: true })
        for (const { put, remove, passMs, steps } of passed) {
          const preparing = reference.index.prepare(reference.nowMs)
          for (let n = 0; n < steps && preparing.next().done !== true; n++);
          reference.change({ put, remove: reference.idsOf(remove) }, () => {
            preparing.next()
          })
          reference.nowMs += passMs
          for (const asked of queries) reference.check(asked)
        }
      },
    ),
    { numRuns: casesOf(300) },
  )
})
