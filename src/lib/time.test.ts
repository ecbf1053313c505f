import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, formatDuration, HOUR_MS, hasPassed, MINUTE_MS } from './time.ts'

test('formats a duration in the largest unit of which it has two', () => {
  const durations = [0, MINUTE_MS, 1.6 * MINUTE_MS, 90 * MINUTE_MS, 2 * HOUR_MS, 47 * HOUR_MS, 2 * DAY_MS]
  assert.deepEqual(durations.map(formatDuration), [
    '1 minute',
    '1 minute',
    '2 minutes',
    '90 minutes',
    '2 hours',
    '47 hours',
    '2 days',
  ])
})

test('a duration has passed since a time of a clock that was ahead, but not since one of another node', () => {
  const nowMs = 10 * DAY_MS
  const passed = (sinceMs: number) => hasPassed(HOUR_MS, { sinceMs, nowMs })
  assert.deepEqual([passed(nowMs - HOUR_MS), passed(nowMs + MINUTE_MS + 1)], [true, true])
  assert.deepEqual([passed(nowMs - HOUR_MS + 1), passed(nowMs + MINUTE_MS)], [false, false])
})
