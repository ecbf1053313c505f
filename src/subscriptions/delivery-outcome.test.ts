import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../lib/time.ts'
import type { ClaimedDelivery } from '../store/contracts/deliveries.ts'
import { outcomeOf, requestedPauseMs, responseFault, sendFault } from './delivery-outcome.ts'

const SLOTS: ClaimedDelivery = {
  id: 'evt_1',
  type: 'slots.opened',
  subscriptionId: 'sub_1',
  organizationId: 'org_1',
  createdAtMs: 0,
  queuedAtMs: 0,
  isVerified: true,
  attempts: 20,
  fromRevision: 1,
  toRevision: 2,
  total: 0,
  ids: [],
  url: 'https://receiver.example/',
  filters: '',
  secrets: [],
  failingSinceMs: 0,
}
const VERIFICATION: ClaimedDelivery = { ...SLOTS, type: 'subscription.verification', isVerified: false }

/** The outcome of an attempt that fails at a time. */
const failed = (delivery: ClaimedDelivery, endMs: number) =>
  outcomeOf(delivery, { atMs: endMs - 5, latencyMs: 5, error: 'The receiver responded 500.' }, 0.5)

test('the last attempt is at the end of three days, or of the day of a verification, and disables the subscription', () => {
  for (const [delivery, hours, reason] of [
    [SLOTS, 72, 'failing'],
    [VERIFICATION, 24, 'unverified'],
  ] as const) {
    const lastMs = hours * HOUR_MS
    for (const endMs of [lastMs - HOUR_MS, lastMs - 1])
      assert.deepEqual(failed(delivery, endMs), { kind: 'retry', atMs: lastMs })
    assert.deepEqual(failed(delivery, lastMs), { kind: 'disabled', reason })
  }
})

test('a test that fails disables no subscription, however long others have failed, and is not repeated', () => {
  const { kind } = failed({ ...SLOTS, type: 'subscription.test' }, 100 * HOUR_MS)
  assert.equal(kind, 'failed')
})

test('a receiver asks to wait by 429 and 503 only', () => {
  const pauses = [429, 503, 500, 404].map((status) => requestedPauseMs({ status, retryAfter: '60' }, 0))
  assert.deepEqual(pauses, [60_000, 60_000, undefined, undefined])
})

test('accepts the challenge as text or as a field of a JSON object, and nothing else', () => {
  const isVerifiedBy = (body: string) =>
    responseFault({ type: 'subscription.verification', challenge: 'abc' }, { status: 200, body }) === undefined
  for (const body of ['abc', ' abc\r\n', '{"challenge":"abc","ok":true}']) assert.ok(isVerifiedBy(body), body)
  for (const body of ['', 'abcd', '{}', '{"challenge":"ab"}', '["abc"]', '"abc"', 'null'])
    assert.ok(!isVerifiedBy(body), body)
})

test('says why nothing was sent without the address that a name leads to', () => {
  const messageOf = (code: string) =>
    sendFault(Object.assign(new Error('connect 10.0.0.1:443'), { code, address: '10.0.0.1' }))
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) assert.equal(messageOf(code), 'The host name could not be resolved.')
  for (const code of ['ECONNRESET', 'EPIPE']) assert.equal(messageOf(code), 'The receiver closed the connection.')
  assert.equal(messageOf('EHOSTUNREACH'), 'The event could not be sent (EHOSTUNREACH).')
  assert.equal(sendFault(new Error('connect 10.0.0.1:443')), 'The event could not be sent.')
})
