import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs, pause } from './back-off.ts'
import { SlotsError } from './slots-error.ts'

const NETWORK = new SlotsError('network', '')

test('waits up to twice as long each time, and never longer than ten seconds', () => {
  const waits = (random: number) => [0, 1, 2, 5, 6, 2000].map((attempt) => backOffMs(NETWORK, attempt, random))
  assert.deepEqual(waits(1), [250, 500, 1000, 8000, 10_000, 10_000])
  assert.deepEqual(waits(0), [0, 0, 0, 0, 0, 0])
})

test('waits at least Retry-After, with jitter', () => {
  const error = new SlotsError('too-many-exports', '', { status: 503, retryAfterMs: 2000 })
  assert.deepEqual([backOffMs(error, 0, 0), backOffMs(error, 1, 0.5)], [2000, 2250])
})

test('returns no delay for errors that do not pass', () => {
  for (const status of [400, 401, 404, 410, 500])
    assert.equal(backOffMs(new SlotsError('unexpected-answer', '', { status }), 0, 1), undefined)
  assert.equal(backOffMs(new SlotsError('unexpected-answer', '', { status: 502 }), 0, 1), 250)
  assert.equal(backOffMs(new SlotsError('timeout', ''), 0, 1), 250)
})

test('ends a pause when aborted and leaves no timer running', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const controller = new AbortController()
  const paused = pause(60_000, controller.signal)
  assert.equal(timers(), before + 1)
  controller.abort(new Error('enough'))
  await assert.rejects(paused, /enough/)
  assert.equal(timers(), before)
  await assert.rejects(pause(60_000, controller.signal), /enough/)
  assert.equal(timers(), before)
})

test('waits also for longer than a timer can', async () => {
  const controller = new AbortController()
  let isOver = false
  const paused = pause(2 ** 31, controller.signal).finally(() => {
    isOver = true
  })
  await sleep(20)
  assert.equal(isOver, false)
  controller.abort(new Error('enough'))
  await assert.rejects(paused, /enough/)
})
