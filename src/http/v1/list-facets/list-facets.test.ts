import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillIndex } from '../../../../test/support/fill-index.ts'
import { ask, index, KEY, NOW_MS, sampleSlots, state } from '../../../../test/support/http/sample-server.ts'

const FACETS = '/v1/scheduling/facets'

test('counts matching slots that have not ended by state, mode, service type and day', async () => {
  const { status, headers, json } = await ask(FACETS)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(json, {
    total: 59,
    state: [
      { value: 'CA', count: 30 },
      { value: 'MA', count: 29 },
    ],
    isVirtual: { true: 30, false: 29 },
    serviceType: [{ code: '57', count: 30 }],
    specialty: [],
    day: [
      { date: '2026-06-01', count: 12 },
      { date: '2026-06-02', count: 24 },
      { date: '2026-06-03', count: 23 },
    ],
    others: { state: 0, serviceType: 0, specialty: 0, day: 0 },
  })
})

test('supports every filter of the list and the days of any time zone', async () => {
  const { json } = await ask(`${FACETS}?state=MA&timeZone=Asia/Tokyo&startBefore=2026-06-01T16:00:00Z`)
  assert.equal(json.total, 2)
  assert.deepEqual(json.day, [
    { date: '2026-06-01', count: 1 },
    { date: '2026-06-02', count: 1 },
  ])
  assert.deepEqual((await ask(`${FACETS}?near=42.36,-71.06`)).json.state, [])
})

test('rejects paging, unknown zones and everything that the list rejects, by name', async () => {
  const wrong: [string, string, RegExp][] = [
    ['limit=5', 'limit', /Unknown parameter.*timeZone/],
    ['cursor=', 'cursor', /Unknown parameter/],
    ['state=Massachusets', 'state', /such as MA or Massachusetts/],
    ['radiusKm=5', 'radiusKm', /requires near/],
    ['timeZone=', 'timeZone', /IANA time zone.*got ""/],
    ['timeZone=Nowhere/Else', 'timeZone', /got "Nowhere\/Else"/],
    ['timeZone=%2B05:00', 'timeZone', /IANA/],
    ['timeZone=UTC&timeZone=UTC', 'timeZone', /must not be repeated/],
    [`timeZone=${'A'.repeat(300)}`, 'timeZone', /A…/],
  ]
  for (const [search, parameter, message] of wrong) {
    const { status, json } = await ask(`${FACETS}?${search}`)
    assert.deepEqual([status, json.error, json.parameter], [400, 'Invalid parameter', parameter], search)
    assert.match(json.message, message)
  }
})

test('returns 304 for its ETag until a slot is added, removed or ends', async () => {
  const asked = () => ask(`${FACETS}?state=CA`, { 'x-api-key': KEY, 'if-none-match': etag })
  const etag = String((await ask(`${FACETS}?state=CA`)).headers.etag)
  assert.equal((await asked()).status, 304)
  state.nowMs += 3_600_000
  assert.equal((await asked()).status, 200)
  state.nowMs = NOW_MS
  fillIndex(index, sampleSlots(30), { revision: 2, nowMs: NOW_MS })
  const { status, json } = await asked()
  assert.deepEqual([status, json.total], [200, 15])
  fillIndex(index, sampleSlots(60), { revision: 3, nowMs: NOW_MS })
})

test('counts slots after the year 9999, whose days have no date, as others', async () => {
  const [slot] = sampleSlots(1)
  const startMs = Date.UTC(10_000, 0, 1, 3)
  const late = {
    ...slot,
    start: '9999-12-31T22:00:00-05:00',
    end: '9999-12-31T22:00:00-05:00',
    startMs,
    endMs: startMs,
  }
  fillIndex(index, [slot, late], { revision: 4, nowMs: NOW_MS })
  const inUtc = (await ask(`${FACETS}?startAfter=9999-12-31T00:00:00Z`)).json
  assert.deepEqual([inUtc.total, inUtc.day, inUtc.others.day], [1, [], 1])
  const local = (await ask(`${FACETS}?startAfter=9999-12-31T00:00:00Z&timeZone=America/New_York`)).json
  assert.deepEqual([local.day, local.others.day], [[{ date: '9999-12-31', count: 1 }], 0])
  fillIndex(index, sampleSlots(60), { revision: 5, nowMs: NOW_MS })
})

test('leaves out values that are too long for a filter', async () => {
  const [, slot] = sampleSlots(2)
  const [longest, longer] = ['😀'.repeat(200), 'x'.repeat(201)]
  const serviceTypes = [{ code: longest }, { code: longer, display: 'Long' }]
  const details = { specialties: [{ display: longer }] }
  const offering = { ...slot.offering, serviceTypes, provider: { specialty: longest }, details }
  fillIndex(index, [{ ...slot, offering }], { revision: 6, nowMs: NOW_MS })
  const { json } = await ask(FACETS)
  assert.deepEqual(json.serviceType, [{ code: longest, count: 1 }])
  assert.deepEqual(json.specialty, [{ value: longest, count: 1 }])
  for (const filter of ['serviceTypeCode', 'specialty'])
    assert.equal((await ask(`${FACETS}?${filter}=${encodeURIComponent(longest)}`)).json.total, 1)
  fillIndex(index, sampleSlots(60), { revision: 7, nowMs: NOW_MS })
})

test('requires a key and the GET method', async () => {
  assert.equal((await ask(FACETS, {})).status, 401)
  const posted = await ask(FACETS, { 'x-api-key': KEY }, 'POST')
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  const head = await ask(FACETS, { 'x-api-key': KEY }, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
})
