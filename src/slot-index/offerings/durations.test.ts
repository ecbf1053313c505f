import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../lib/time.ts'
import { Durations, minutesOf } from './durations.ts'

test('rounds durations down to whole minutes, of a day at most', () => {
  const cases = [
    [0, 0],
    [0.99, 0],
    [29.99, 29],
    [30, 30],
    [1440, 1440],
    [1441, 1440],
    [100_000, 1440],
    [-5, 0],
  ]
  for (const [lasts, minutes] of cases) assert.equal(minutesOf({ startMs: 7, endMs: 7 + lasts * MINUTE_MS }), minutes)
})

test('finds the shortest duration from a number of minutes on', () => {
  const durations = new Durations()
  assert.equal(durations.from(0), undefined)
  for (const minutes of [30, 15, 30, 1440]) durations.add(minutes)
  assert.deepEqual(
    [0, 15, 16, 31, 1440, 1441].map((minutes) => durations.from(minutes)),
    [15, 15, 30, 1440, 1440, undefined],
  )
})
