import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidParameter } from '../slot/query-parameter.ts'
import { parseSubscription, parseSubscriptionEdit } from './subscription-input.ts'

const NOW_MS = Date.parse('2026-01-05T08:00:00Z')
const OPTIONS = { allowPrivate: false, nowMs: NOW_MS }
const URL_TEXT = 'https://app.example.com/hook'
const GOOD = { url: URL_TEXT, filters: { state: 'MA' } }

test('a new subscription has defaults', () => {
  assert.deepEqual(parseSubscription(GOOD, OPTIONS), {
    ...GOOD,
    query: 'state=MA',
    events: ['slots.opened'],
    minIntervalMs: 60_000,
  })
})

test('filters are a query string in a canonical order', () => {
  const queryOf = (filters: object) => parseSubscription({ ...GOOD, filters }, OPTIONS).query
  assert.equal(queryOf({}), '')
  assert.equal(queryOf({ state: ['NY', 'MA', 'NY'], isVirtual: true }), 'isVirtual=true&state=MA&state=NY')
  assert.equal(queryOf({ isVirtual: 'true', state: ['MA', 'NY'] }), 'isVirtual=true&state=MA&state=NY')
  assert.equal(queryOf({ city: 'New York & Co' }), 'city=New%20York%20%26%20Co')
})

test('a change keeps what it does not name', () => {
  assert.deepEqual(parseSubscriptionEdit({}, OPTIONS), {})
  const cleared = { description: null, expiresAt: null, status: 'paused' }
  assert.deepEqual(parseSubscriptionEdit(cleared, OPTIONS), { description: null, expiresAtMs: null, status: 'paused' })
})

const LONG = { serviceTypeCode: Array.from({ length: 60 }, (_, n) => `${n}`.padStart(134, 'x')) }

const REFUSED: readonly (readonly [name: string, body: unknown, parameter: string, message: RegExp])[] = [
  ['no object', 'x', 'body', /must be a JSON object/],
  ['null', null, 'body', /must be a JSON object/],
  ['no url', { filters: {} }, 'url', /^url is required\.$/],
  ['no filters', { url: URL_TEXT }, 'filters', /^filters is required\.$/],
  ['an unknown field', { ...GOOD, secret: 'x' }, 'secret', /Unknown field "secret"/],
  ['a filter of the wrong form', { ...GOOD, filters: { state: 'M' } }, 'filters.state', /^filters\.state must be a US/],
  ['an unknown filter', { ...GOOD, filters: { stat: 'MA' } }, 'filters.stat', /Unknown parameter "stat"/],
  ['a filter that is an object', { ...GOOD, filters: { state: {} } }, 'filters.state', /must be a text, a number/],
  ['a paging parameter', { ...GOOD, filters: { limit: 5 } }, 'filters.limit', /Unknown parameter/],
  ['another status', { ...GOOD, filters: { status: 'busy' } }, 'filters.status', /must be free|status/],
  ['a lone surrogate', { ...GOOD, filters: { state: '\ud800' } }, 'filters.state', /^filters\.state must be a US/],
  ['filters that no URL can have', { ...GOOD, filters: LONG }, 'filters', /at most 8000 .*: got \d+\.$/],
  ['radius alone', { ...GOOD, filters: { radiusKm: 5 } }, 'filters.radiusKm', /requires near/],
  ['http', { ...GOOD, url: 'http://app.example.com/' }, 'url', /https/],
  ['a password', { ...GOOD, url: 'https://a:b@app.example.com/' }, 'url', /without user/],
  ['a fragment', { ...GOOD, url: 'https://app.example.com/#a' }, 'url', /fragment/],
  ['localhost', { ...GOOD, url: 'https://localhost/' }, 'url', /public host/],
  ['a private address', { ...GOOD, url: 'https://10.0.0.1/' }, 'url', /public host/],
  ['a private IPv6 address', { ...GOOD, url: 'https://[::1]/' }, 'url', /public host/],
  ['an address written as a number', { ...GOOD, url: 'https://2130706433/' }, 'url', /public host/],
  ['a long url', { ...GOOD, url: `${URL_TEXT}/${'x'.repeat(2000)}` }, 'url', /at most 2000/],
  ['an interval of none', { ...GOOD, minIntervalSeconds: 0 }, 'minIntervalSeconds', /from 1 to 86400/],
  ['a fraction of an interval', { ...GOOD, minIntervalSeconds: 1.5 }, 'minIntervalSeconds', /from 1 to 86400/],
  ['an expiry in the past', { ...GOOD, expiresAt: '2026-01-05T08:00:00Z' }, 'expiresAt', /in the future/],
  ['an expiry without an offset', { ...GOOD, expiresAt: '2027-01-01' }, 'expiresAt', /RFC 3339/],
  ['no events', { ...GOOD, events: [] }, 'events', /array of slots\.opened and slots\.closed/],
  ['another event', { ...GOOD, events: ['slots.moved'] }, 'events', /array of/],
  ['a description of two lines', { ...GOOD, description: 'a\nb' }, 'description', /one line/],
]

for (const [name, body, parameter, message] of REFUSED)
  test(`refuses ${name}`, () => {
    assert.throws(
      () => parseSubscription(body, OPTIONS),
      (error) => error instanceof InvalidParameter && error.parameter === parameter && message.test(error.message),
    )
  })

test('accepts private addresses and http where they are allowed', () => {
  const { url } = parseSubscription({ ...GOOD, url: 'http://127.0.0.1:9' }, { ...OPTIONS, allowPrivate: true })
  assert.equal(url, 'http://127.0.0.1:9/')
})
