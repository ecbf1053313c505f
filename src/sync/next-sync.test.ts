import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../lib/time.ts'
import { BACK_OFF_MS, nextSyncAt, nextTryAt } from './next-sync.ts'

/** From a sync that took no time, without the half second that an answer may be underway. */
const nextAfter = (atMs: number, intervals: Parameters<typeof nextSyncAt>[1]) =>
  nextSyncAt({ startedAtMs: atMs, finishedAtMs: atMs }, intervals) - 500

test('uses the interval of the operator, else of the publisher, else the default', () => {
  assert.equal(nextAfter(1000, { everyMs: 10 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS }), 1000 + 10 * MINUTE_MS)
  assert.equal(nextAfter(1000, { maxAgeMs: 3 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS }), 1000 + 3 * MINUTE_MS)
  assert.equal(nextAfter(1000, { everyMsDefault: 5 * MINUTE_MS }), 1000 + 5 * MINUTE_MS)
})

test("obeys the publisher's max-age if the operator's interval is shorter", () => {
  assert.equal(
    nextAfter(0, { everyMs: 2 * MINUTE_MS, maxAgeMs: 9 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS }),
    9 * MINUTE_MS,
  )
  assert.equal(
    nextAfter(0, { everyMs: 20 * MINUTE_MS, maxAgeMs: 9 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS }),
    20 * MINUTE_MS,
  )
})

test("uses the publisher's cadence, at most a day, unless the operator sets an interval or max-age is longer", () => {
  const next = (intervals: Partial<Parameters<typeof nextSyncAt>[1]>) =>
    nextAfter(0, { updateCadenceMs: 4 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS, ...intervals }) / MINUTE_MS
  assert.equal(next({}), 4)
  assert.equal(next({ maxAgeMs: 3 * MINUTE_MS }), 4)
  assert.equal(next({ maxAgeMs: 9 * MINUTE_MS }), 9)
  assert.equal(next({ everyMs: 2 * MINUTE_MS }), 2)
  assert.equal(next({ updateCadenceMs: 365 * 24 * 60 * MINUTE_MS }), 24 * 60)
})

test('syncs at most once a minute, and at least once a day', () => {
  assert.equal(nextAfter(0, { everyMs: 1, everyMsDefault: 5 * MINUTE_MS }), MINUTE_MS)
  assert.equal(nextAfter(0, { maxAgeMs: 0, everyMsDefault: 5 * MINUTE_MS }), MINUTE_MS)
  assert.equal(
    nextAfter(0, { maxAgeMs: 365 * 24 * 60 * MINUTE_MS, everyMsDefault: 5 * MINUTE_MS }),
    24 * 60 * MINUTE_MS,
  )
})

test('counts from the start of the sync, but pauses ten seconds after a long one', () => {
  const next = (finishedAtMs: number) =>
    nextSyncAt({ startedAtMs: 0, finishedAtMs }, { maxAgeMs: MINUTE_MS, everyMsDefault: 5 * MINUTE_MS })
  assert.equal(next(0), MINUTE_MS + 500)
  assert.equal(next(50_000), MINUTE_MS + 500)
  assert.equal(next(55_000), 65_000)
  assert.equal(next(600_000), 610_000)
})

test('waits 1, 2, 5, 10, 30, 60 minutes after consecutive failures, then 60', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => nextTryAt(0, { failures }, 0.5) / MINUTE_MS)
  assert.deepEqual(waits, [1, 2, 5, 10, 30, 60, 60, 60])
  assert.deepEqual(
    BACK_OFF_MS.map((ms) => ms / MINUTE_MS),
    [1, 2, 5, 10, 30, 60],
  )
})

test('spreads the back-off by 10 % both ways, but never below a minute', () => {
  assert.equal(nextTryAt(0, { failures: 4 }, 0), 9 * MINUTE_MS)
  assert.equal(nextTryAt(0, { failures: 4 }, 1), 11 * MINUTE_MS)
  assert.equal(nextTryAt(0, { failures: 1 }, 0), MINUTE_MS)
})

test('obeys Retry-After up to a day', () => {
  assert.equal(nextTryAt(0, { failures: 1, retryAfterMs: 7 * MINUTE_MS }, 0.5), 7 * MINUTE_MS)
  assert.equal(nextTryAt(0, { failures: 6, retryAfterMs: 7 * MINUTE_MS }, 0.5), 60 * MINUTE_MS)
  assert.equal(nextTryAt(0, { failures: 1, retryAfterMs: 1e12 }, 0.5), 24 * 60 * MINUTE_MS)
})
