import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latencyBucket } from '../lib/latency-histogram.ts'
import { HOUR_MS } from '../lib/time.ts'
import { mintKey } from './mint-key.ts'
import { LOGGED_PER_DRAIN, type LoggedRequest, type UsageBatch } from './usage-batch.ts'
import { type MeteredKey, UsageMeter } from './usage-meter.ts'

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

function leftOutOf(logged: readonly LoggedRequest[]): number[] {
  return logged.map(({ leftOut }) => leftOut).filter((count) => count > 0)
}

function loggedBy(logged: readonly LoggedRequest[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { keyId } of logged) counts[keyId] = (counts[keyId] ?? 0) + 1
  return counts
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
  const { requests, latencies, logged } = mustDrain(meter)
  assert.deepEqual(
    requests.map(({ status, count }) => [status, count]),
    [[200, 1]],
  )
  assert.deepEqual(
    latencies.map(({ count }) => count),
    [1],
  )
  assert.equal(logged.length, 1)
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

test('keeps the newest requests of a key, oldest first, and counts those left out', () => {
  const meter = new UsageMeter()
  const key = keyOf('one')
  const noted = LOGGED_PER_DRAIN + 150
  for (let n = 0; n < noted; n++) meter.note(key, exchange({ requestId: `r${n}` }), NOW + n, n)
  const { logged, requests } = mustDrain(meter)
  assert.equal(requests[0].count, noted)
  assert.deepEqual(
    logged.map(({ requestId }) => requestId),
    Array.from({ length: LOGGED_PER_DRAIN }, (_, n) => `r${n + 150}`),
  )
  assert.deepEqual(leftOutOf(logged), [150])
  assert.deepEqual(logged.at(-1), {
    keyId: 'one',
    atMs: NOW + noted - 1,
    method: 'GET',
    target: '/v1/scheduling/slots',
    status: 200,
    durationUs: noted - 1,
    requestId: `r${noted - 1}`,
    leftOut: 0,
  })
})

test('a busy key takes no room in the log from keys with few requests', () => {
  const meter = new UsageMeter()
  const [busy, other, quiet] = ['busy', 'other', 'quiet'].map(keyOf)
  for (let n = 0; n < 2000; n++) meter.note(n % 2 === 0 ? busy : other, exchange(), NOW + n, 1)
  for (let n = 0; n < 40; n++) meter.note(quiet, exchange(), NOW + n, 1)
  const first = mustDrain(meter)
  assert.deepEqual(loggedBy(first.logged), { busy: 230, other: 230, quiet: 40 })
  assert.deepEqual(leftOutOf(first.logged), [770, 770])
  meter.takeOver(first)
  for (let n = 0; n < 300; n++) meter.note(quiet, exchange(), NOW + 5000 + n, 1)
  const { logged } = mustDrain(meter)
  assert.ok(logged.length <= LOGGED_PER_DRAIN)
  assert.equal(logged.length + leftOutOf(logged).reduce((sum, count) => sum + count), 2340)
})

test('logs who called and why a request failed', () => {
  const meter = new UsageMeter()
  const request = {
    method: 'GET',
    url: '/v1/scheduling/slots?state=Nowhere',
    headers: { 'user-agent': 'x'.repeat(300), 'x-forwarded-for': '198.51.100.9' },
    socket: { remoteAddress: '::ffff:192.0.2.1' },
  }
  const problem = { error: 'Invalid parameter', message: `got "\0${'y'.repeat(600)}"`, parameter: 'state' }
  meter.note(keyOf('one'), { request, response: { statusCode: 400 }, requestId: 'r', problem }, NOW, 1)
  const { logged, addresses } = mustDrain(meter)
  const { userAgent, address, error, message, parameter } = logged[0]
  assert.deepEqual(
    [userAgent?.length, address, error, message?.slice(0, 6), message?.length, parameter],
    [200, '192.0.2.1', 'Invalid parameter', 'got "\ufffd', 400, 'state'],
  )
  assert.deepEqual(addresses, [{ keyId: 'one', address: '192.0.2.1', atMs: NOW }])
})

test('notes every address of a key behind trusted proxies, with the time it was last seen', () => {
  const meter = new UsageMeter({ trustedProxies: 1 })
  const key = keyOf('one')
  const from = (address: string) => ({
    ...exchange(),
    request: { headers: { 'x-forwarded-for': `10.0.0.1, ${address}` }, socket: { remoteAddress: '10.0.0.2' } },
  })
  for (const [n, address] of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.1'].entries())
    meter.note(key, from(address), NOW + n, 1)
  const first = mustDrain(meter)
  assert.deepEqual(first.addresses, [
    { keyId: 'one', address: '192.0.2.2', atMs: NOW + 1 },
    { keyId: 'one', address: '192.0.2.1', atMs: NOW + 3 },
  ])
  meter.note(key, from('192.0.2.2'), NOW + 9, 1)
  meter.takeOver(first)
  assert.deepEqual(mustDrain(meter).addresses, [
    { keyId: 'one', address: '192.0.2.2', atMs: NOW + 9 },
    { keyId: 'one', address: '192.0.2.1', atMs: NOW + 3 },
  ])
})

test('notes an address that does not change after each drain', () => {
  const meter = new UsageMeter()
  const key = keyOf('one')
  const request = { socket: { remoteAddress: '192.0.2.1' } }
  for (const atMs of [NOW, NOW + 1]) {
    meter.note(key, { ...exchange(), request }, atMs, 1)
    assert.deepEqual(mustDrain(meter).addresses, [{ keyId: 'one', address: '192.0.2.1', atMs }])
  }
})

test('keeps no address if the operator has switched them off', () => {
  const meter = new UsageMeter({ logsAddresses: false })
  const request = { url: '/v1', socket: { remoteAddress: '192.0.2.1' } }
  meter.note(keyOf('one'), { ...exchange(), request }, NOW, 1)
  assert.doesNotMatch(JSON.stringify(mustDrain(meter)), /192\.0\.2\.1/)
})

test('truncates long targets', () => {
  const meter = new UsageMeter()
  meter.note(keyOf('one'), exchange({ url: `/v1/${'x'.repeat(8000)}` }), NOW, 1)
  assert.equal(mustDrain(meter).logged[0].target.length, 500)
})

test('drains the counts of other meters once, together with new ones', () => {
  const meter = new UsageMeter()
  const [one, two] = [keyOf('one'), keyOf('two')]
  for (let n = 0; n < 400; n++) meter.note(one, exchange({ requestId: `a${n}` }), NOW, 1)
  const first = mustDrain(meter)
  for (let n = 0; n < 400; n++) meter.note(one, exchange({ requestId: `b${n}` }), NOW + 1, 1)
  const second = mustDrain(meter)
  meter.note(two, exchange({ status: 404 }), NOW + 2, 1)
  meter.takeOver(first)
  meter.takeOver(second)
  const batch = mustDrain(meter)
  assert.deepEqual(
    batch.requests.map(({ keyId, status, count }) => [keyId, status, count]),
    [
      ['one', 200, 800],
      ['two', 404, 1],
    ],
  )
  assert.deepEqual(
    batch.logged.map(({ requestId }) => requestId).filter((id) => id !== 'r'),
    [...Array.from({ length: 99 }, (_, n) => `a${n + 301}`), ...Array.from({ length: 400 }, (_, n) => `b${n}`)],
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

test('drains the counts of another meter even without new requests', () => {
  const meter = new UsageMeter()
  meter.note(keyOf('one'), exchange(), NOW, 1)
  const batch = mustDrain(meter)
  meter.takeOver(batch)
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
  meters[0].takeOver(others)
  const batch = meters[0].drain()
  assert.deepEqual(batch?.requests, [{ keyId: 'one', hourMs: 0, status: 200, count: 240 }])
  assert.deepEqual(
    batch?.logged.map(({ atMs }) => atMs),
    Array.from({ length: 240 }, (_, n) => n),
  )
})

test('redacts keys in the targets and ids of requests', () => {
  const meter = new UsageMeter()
  const key = mintKey()
  meter.note(keyOf('one'), exchange({ url: `/v1/scheduling/slots?publisher=${key}`, requestId: key }), NOW, 1)
  const encoded = `/v1/${'x'.repeat(480)}${key.replaceAll('_', '%5F')}`
  meter.note(keyOf('one'), exchange({ url: encoded }), NOW, 1)
  const stored = JSON.stringify(mustDrain(meter).logged)
  assert.doesNotMatch(stored, new RegExp(key.slice(7, 12)))
  assert.match(stored, /publisher=svc_sk_\[redacted\]/)
})
