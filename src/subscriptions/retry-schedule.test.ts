import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILING_MS_MAX, retryPauseMs } from './retry-schedule.ts'

test('pauses grow from seconds to twelve hours, and three days have a bounded number of attempts', () => {
  const pauses = Array.from({ length: 10 }, (_, n) => retryPauseMs(n + 1, 0.5) / 1000)
  assert.deepEqual(pauses, [5, 30, 120, 600, 3600, 10_800, 21_600, 43_200, 43_200, 43_200])
  let attempts = 1
  for (let atMs = 0; atMs < FAILING_MS_MAX; attempts++) atMs += retryPauseMs(attempts, 0.5)
  assert.equal(attempts, 14)
})

test('a pause is as long as the receiver asks for, up to twelve hours, and never shorter than the schedule', () => {
  const pauses = [1, 60, 86_400].map((seconds) => retryPauseMs(1, 0.5, seconds * 1000) / 1000)
  assert.deepEqual(pauses, [5, 60, 43_200])
})

test('a pause varies by a fifth', () => {
  assert.deepEqual(
    [0, 1].map((random) => retryPauseMs(1, random)),
    [4000, 6000],
  )
})
