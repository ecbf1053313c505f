import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../lib/time.ts'
import { RECENT_MAX } from '../store/contracts/keys.ts'
import { mintKey } from './mint-key.ts'
import { RECENT_HELD, type UsageBatch } from './usage-batch.ts'
import { latencyBucket, type MeteredKey, UsageMeter } from './usage-meter.ts'

const NOW = Date.UTC(2026, 0, 1, 10, 30)
const HOUR = NOW - HOUR_MS / 2

const keyOf = (id: string): MeteredKey => ({ id, usage: undefined })

function exchange({ status = 200, url = '/v1/scheduling/slots', requestId = 'r' } = {}) {
  return { request: { method: 'GET', url }, response: { statusCode: status }, requestId }
}

function mustDrain(meter: UsageMeter): UsageBatch {
  const batch = meter.drain()
  assert.ok(batch)
  return batch
}

test('counts requests by key, hour and status, latencies by bucket, and records the last use', () => {
  const meter = new UsageMeter()
  const [one, two] = [keyOf('one'), keyOf('two')]
  meter.note(one, exchange(), NOW, 12)
  meter.note(one, exchange({ status: 304 }), NOW + 1, 12)
  meter.note(one, exchange(), NOW + 2, 800)
  meter.note(two, exchange({ status: 400 }), NOW + 3, 1)
  const batch = mustDrain(meter)
  assert.deepEqual(batch.requests, [
    { keyId: 'one', hourMs: HOUR, status: 200, count: 2 },
    { keyId: 'one', hourMs: HOUR, status: 304, count: 1 },
    { keyId: 'two', hourMs: HOUR, status: 400, count: 1 },
  ])
  assert.deepEqual(batch.latencies, [
    { keyId: 'one', hourMs: HOUR, bucket: latencyBucket(12), count: 2 },
    { keyId: 'one', hourMs: HOUR, bucket: latencyBucket(800), count: 1 },
    { keyId: 'two', hourMs: HOUR, bucket: 0, count: 1 },
  ])
  assert.deepEqual(
    [...batch.lastUsed],
    [
      ['one', NOW + 2],
      ['two', NOW + 3],
    ],
  )
})

test('drains only the requests since the last drain', () => {
  const meter = new UsageMeter()
  const key = keyOf('one')
  assert.equal(meter.drain(), undefined)
  for (const status of [200, 200, 404]) meter.note(key, exchange({ status }), NOW, 1)
  mustDrain(meter)
  meter.note(key, exchange(), NOW + 5, 1)
  const { requests, latencies, recent } = mustDrain(meter)
  assert.deepEqual(
    requests.map(({ status, count }) => [status, count]),
    [[200, 1]],
  )
  assert.deepEqual(
    latencies.map(({ count }) => count),
    [1],
  )
  assert.equal(recent.length, 1)
  assert.equal(meter.drain(), undefined)
})

test('frees the memory of unused keys', () => {
  const meter = new UsageMeter()
  const key = keyOf('one')
  meter.note(key, exchange(), NOW, 1)
  mustDrain(meter)
  assert.ok(key.usage)
  meter.drain()
  assert.equal(key.usage, undefined)
  meter.note(key, exchange(), NOW, 1)
  assert.equal(mustDrain(meter).requests[0].count, 1)
})

test('counts a request in the hour of its arrival, even across drains', () => {
  const meter = new UsageMeter()
  const key = keyOf('one')
  meter.note(key, exchange(), HOUR + HOUR_MS - 1, 1)
  meter.note(key, exchange(), HOUR + HOUR_MS, 1)
  meter.note(key, exchange(), HOUR + HOUR_MS + 1, 1)
  const { requests, latencies } = mustDrain(meter)
  const expected = [
    [HOUR, 1],
    [HOUR + HOUR_MS, 2],
  ]
  assert.deepEqual(
    requests.map(({ hourMs, count }) => [hourMs, count]),
    expected,
  )
  assert.deepEqual(
    latencies.map(({ hourMs, count }) => [hourMs, count]),
    expected,
  )
})

test('keeps the newest requests of each key, oldest first, up to the limit of the store', () => {
  assert.equal(RECENT_HELD, RECENT_MAX)
  const meter = new UsageMeter()
  const key = keyOf('one')
  for (let n = 0; n < 250; n++) meter.note(key, exchange({ requestId: `r${n}` }), NOW + n, n)
  const { recent, requests } = mustDrain(meter)
  assert.equal(requests[0].count, 250)
  assert.deepEqual(
    recent.map(({ requestId }) => requestId),
    Array.from({ length: 100 }, (_, n) => `r${n + 150}`),
  )
  assert.deepEqual(recent.at(-1), {
    keyId: 'one',
    atMs: NOW + 249,
    method: 'GET',
    target: '/v1/scheduling/slots',
    status: 200,
    durationUs: 249,
    requestId: 'r249',
  })
})

test('truncates long targets', () => {
  const meter = new UsageMeter()
  meter.note(keyOf('one'), exchange({ url: `/v1/${'x'.repeat(8000)}` }), NOW, 1)
  assert.equal(mustDrain(meter).recent[0].target.length, 500)
})

test('drains returned counts once more, together with new ones', () => {
  const meter = new UsageMeter()
  const [one, two] = [keyOf('one'), keyOf('two')]
  for (let n = 0; n < 80; n++) meter.note(one, exchange({ requestId: `a${n}` }), NOW, 1)
  const first = mustDrain(meter)
  for (let n = 0; n < 80; n++) meter.note(one, exchange({ requestId: `b${n}` }), NOW + 1, 1)
  const second = mustDrain(meter)
  meter.note(two, exchange({ status: 404 }), NOW + 2, 1)
  // Whichever comes back first, the earlier stays the earlier only if it is given back last.
  meter.giveBack(second)
  meter.giveBack(first)
  const batch = mustDrain(meter)
  assert.deepEqual(
    batch.requests.map(({ keyId, status, count }) => [keyId, status, count]),
    [
      ['one', 200, 160],
      ['two', 404, 1],
    ],
  )
  assert.deepEqual(
    batch.recent.map(({ requestId }) => requestId).filter((id) => id !== 'r'),
    [...Array.from({ length: 20 }, (_, n) => `a${n + 60}`), ...Array.from({ length: 80 }, (_, n) => `b${n}`)],
  )
  assert.deepEqual(
    [...batch.lastUsed],
    [
      ['one', NOW + 1],
      ['two', NOW + 2],
    ],
  )
  assert.equal(meter.drain(), undefined)
})

test('drains returned counts even without new requests', () => {
  const meter = new UsageMeter()
  meter.note(keyOf('one'), exchange(), NOW, 1)
  const batch = mustDrain(meter)
  meter.giveBack(batch)
  assert.deepEqual(mustDrain(meter), batch)
})

test('adds the counts of another meter and keeps the newest requests of both in order', () => {
  const key: MeteredKey = { id: 'one', usage: undefined }
  const meters = [new UsageMeter(), new UsageMeter()]
  const keys = meters.map(() => ({ ...key }))
  for (let n = 0; n < 240; n++) {
    const exchange = { request: {}, response: { statusCode: 200 }, requestId: String(n) }
    meters[n % 2].note(keys[n % 2], exchange, n, 100)
  }
  const others = meters[1].drain()
  assert.ok(others)
  meters[0].giveBack(others)
  const batch = meters[0].drain()
  assert.deepEqual(batch?.requests, [{ keyId: 'one', hourMs: 0, status: 200, count: 240 }])
  assert.deepEqual(
    batch?.recent.map(({ atMs }) => atMs),
    Array.from({ length: 100 }, (_, n) => 140 + n),
  )
})

test('redacts keys in the targets and ids of requests', () => {
  const meter = new UsageMeter()
  const key = mintKey()
  meter.note(keyOf('one'), exchange({ url: `/v1/scheduling/slots?publisher=${key}`, requestId: key }), NOW, 1)
  const encoded = `/v1/${'x'.repeat(480)}${key.replaceAll('_', '%5F')}`
  meter.note(keyOf('one'), exchange({ url: encoded }), NOW, 1)
  const stored = JSON.stringify(mustDrain(meter).recent)
  assert.doesNotMatch(stored, new RegExp(key.slice(7, 12)))
  assert.match(stored, /publisher=svc_sk_\[redacted\]/)
})
