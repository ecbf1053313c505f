import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogEvent } from '../lib/log-event.ts'
import { RefusalCounters, Refusals } from './refusals.ts'

test('reports refusals once a second by reason, key prefix and address block', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const events: LogEvent[] = []
  const refusals = new Refusals((event) => events.push(event))
  const refusal = { status: 401, reason: 'api-key-required', authorization: `Bearer svc_sk_AbCd${'x'.repeat(40)}` }
  for (let n = 0; n < 5; n++) refusals.note({ ...refusal, address: `2001:db8::${n}` })
  refusals.note({ status: 403, reason: 'forbidden', address: '192.0.2.1' })
  assert.deepEqual(events, [])
  t.mock.timers.tick(1000)
  assert.deepEqual(
    events.map(({ fields }) => fields),
    [
      { status: 401, reason: 'api-key-required', address: '2001:db8:0:0::/64', keyPrefix: 'AbCd', count: 5 },
      { status: 403, reason: 'forbidden', address: '192.0.2.1', count: 1 },
    ],
  )
})

test('a flood from many addresses makes a bounded number of events, and loses no count', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const events: LogEvent[] = []
  const refusals = new Refusals((event) => events.push(event))
  for (let n = 0; n < 1000; n++) refusals.note({ status: 401, reason: 'r', address: `192.0.${n >> 8}.${n & 255}` })
  t.mock.timers.tick(1000)
  assert.equal(events.length, 101)
  assert.equal(
    events.reduce((sum, { fields }) => sum + Number(fields.count), 0),
    1000,
  )
})

test('counts every refusal and logs at most 30 lines a minute', () => {
  let nowMs = 0
  const counters = new RefusalCounters(() => nowMs)
  const fields = { status: 401, reason: 'api-key-required', count: 2 }
  const note = () => counters.note({ level: 'warn', message: 'requests were refused', fields })
  const logged = Array.from({ length: 31 }, note)
  assert.deepEqual([logged[29], logged[30]], [true, false])
  nowMs += 60_000
  assert.equal(note(), true)
  assert.deepEqual([...counters.counts()], [{ status: '401', reason: 'api-key-required', count: 64 }])
})
