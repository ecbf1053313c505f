import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  conditionalHeaders,
  freshForMs,
  isImmutable,
  parseMaxAgeMs,
  parseRetryAfterMs,
  validatorsOf,
} from './response.ts'

test('sends validators back as they came, weak tags too', () => {
  const headers = { etag: 'W/"a b"', 'last-modified': 'Fri, 24 Mar 2023 20:27:12 GMT' }
  assert.deepEqual(conditionalHeaders(validatorsOf(headers)), {
    'if-none-match': 'W/"a b"',
    'if-modified-since': 'Fri, 24 Mar 2023 20:27:12 GMT',
  })
  assert.deepEqual(validatorsOf({}), {})
})

test('leaves out a time of modification that a second change in its second would share', () => {
  const modified = 'Fri, 24 Mar 2023 20:27:12 GMT'
  const knows = (date: string | undefined, etag?: string) =>
    'lastModified' in validatorsOf({ 'last-modified': modified, ...(date && { date }), ...(etag && { etag }) })
  for (const date of [modified, 'Fri, 24 Mar 2023 20:27:11 GMT']) {
    assert.equal(knows(date), false, date)
    assert.equal(knows(date, '"a"'), true, date)
  }
  for (const date of ['Fri, 24 Mar 2023 20:27:13 GMT', undefined, 'soon']) assert.equal(knows(date), true, date)
})

test('leaves out a validator that no header could carry', () => {
  assert.deepEqual(validatorsOf({ etag: 'a\r\nx: y', 'last-modified': 'x'.repeat(5000) }), {})
  assert.deepEqual(conditionalHeaders({ etag: '"a"\n' }), {})
})

test('reads max-age among other directives', () => {
  assert.equal(parseMaxAgeMs('public, max-age=300'), 300_000)
  assert.equal(parseMaxAgeMs('MAX-AGE="60", must-revalidate'), 60_000)
  assert.equal(parseMaxAgeMs('max-age=0'), 0)
  for (const none of [undefined, '', 'no-store', 's-maxage=5', 'max-age=-1', 'max-age=x', 'x-max-age=5']) {
    assert.equal(parseMaxAgeMs(none), undefined, none)
  }
})

test('a response from a cache stays fresh for max-age less its age', () => {
  const fresh = (age?: string) => freshForMs({ 'cache-control': 'max-age=300', ...(age !== undefined && { age }) })
  assert.deepEqual([fresh(), fresh('0'), fresh('290'), fresh('x')], [300_000, 300_000, 10_000, 300_000])
  assert.deepEqual([fresh('300'), fresh('86400')], [300_000, 300_000], 'a cache that sends stale responses')
  assert.equal(freshForMs({ age: '5' }), undefined)
})

test('a response is immutable by a directive of that name', () => {
  const isSo = (cacheControl?: string) => isImmutable({ 'cache-control': cacheControl })
  for (const yes of ['immutable', 'max-age=1,IMMUTABLE', 'public, immutable , max-age=5']) assert.ok(isSo(yes), yes)
  for (const no of [undefined, '', 'x-immutable', 'immutable-after=5', 'no-store']) assert.ok(!isSo(no), no)
})

test('reads Retry-After as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(parseRetryAfterMs('120', now), 120_000)
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2026 00:05:00 GMT', now), 300_000)
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2020 00:05:00 GMT', now), 0)
  assert.equal(parseRetryAfterMs('Thursday, 01-Jan-26 00:05:00 GMT', now), 300_000)
  for (const none of [undefined, '', 'soon', '-5', '1.5']) assert.equal(parseRetryAfterMs(none, now), undefined, none)
})

test('reads a date in the format of asctime as UTC, wherever the service runs', (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'America/New_York'
  assert.equal(parseRetryAfterMs('Thu Jan  1 00:05:00 2026', Date.parse('2026-01-01T00:00:00Z')), 300_000)
})
