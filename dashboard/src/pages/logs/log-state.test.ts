import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '../../../../src/http/v1/operations.ts'
import { DAY_MS } from '../../../../src/lib/time.ts'
import {
  curlOf,
  decodeTarget,
  exploreSearch,
  isLogFiltered,
  LOG_METHODS,
  logFilter,
  NO_LOG_FILTERS,
} from './log-state.ts'

const NOW = Date.UTC(2026, 4, 3, 12)

test('turns the URL into a filter, without values that cannot be', () => {
  const filter = logFilter({ status: '4xx', path: ' state=MA ', time: '24h', live: '1' }, NOW)
  assert.deepEqual(
    [filter.status, filter.target, filter.fromMs, filter.toMs],
    ['4xx', 'state=MA', NOW - DAY_MS, undefined],
  )
  assert.equal(logFilter({ status: 'nonsense' }, NOW).status, undefined)
  const days = logFilter({ time: 'days', from: '2026-05-01', to: '2026-05-01' }, NOW)
  assert.equal(Number(days.toMs) - Number(days.fromMs), DAY_MS)
  assert.equal(logFilter({ time: 'days', from: 'x' }, NOW).fromMs, undefined)
})

test('offers the method of every operation of the API', () => {
  const methods = new Set(OPERATIONS.map(({ method = 'GET' }) => method))
  assert.deepEqual(
    [...methods].filter((method) => !LOG_METHODS.includes(method)),
    [],
  )
})

test('a live log is not filtered', () => {
  assert.equal(isLogFiltered({ live: '1' }), false)
  assert.equal(isLogFiltered({ request: 'r1' }), true)
  assert.equal(isLogFiltered({ ...NO_LOG_FILTERS, live: '1' }), false)
})

test('decodes a target, also one that is not valid', () => {
  assert.deepEqual(decodeTarget('/v1/a%20b?city=San%20Jos%C3%A9&city=x+y&near'), {
    path: '/v1/a b',
    parameters: [
      ['city', 'San José'],
      ['city', 'x y'],
      ['near', ''],
    ],
  })
  assert.deepEqual(decodeTarget('/v1/%E0%A4%A'), { path: '/v1/%E0%A4%A', parameters: [] })
})

test('opens searches for slots in Explore with the parameters that it has', () => {
  assert.deepEqual(exploreSearch(logged('/v1/scheduling/slots?state=MA&limit=5&unknown=1')), {
    state: 'MA',
    limit: '5',
  })
  assert.deepEqual(exploreSearch(logged('/v1/scheduling/facets')), {})
  assert.equal(exploreSearch(logged('/v1/scheduling/changes?after=1')), undefined)
})

test('makes a command that a shell reads as one request', () => {
  const request = logged("/v1/scheduling/slots?city=O'Fallon&state=MO")
  const command = curlOf(request, 'https://slots.example/')
  assert.match(command ?? '', /^curl 'https:\/\/slots\.example\/v1\/scheduling\/slots\?city=O%27Fallon&state=MO' /)
  assert.match(curlOf({ ...request, method: 'HEAD' }, 'https://slots.example') ?? '', /^curl --head '/)
  const braced = curlOf(logged('/v1?a={b,c}&d=[1-3]'), 'https://slots.example')
  assert.match(braced ?? '', /^curl 'https:\/\/slots\.example\/v1\?a=%7Bb,c%7D&d=%5B1-3%5D' /)
})

test('makes no command of a request that the log does not have as a whole', () => {
  for (const request of [logged('http://h/v1'), { ...logged('/v1/scheduling/slots?city=x'), isComplete: false }]) {
    assert.equal(curlOf(request, 'https://slots.example'), undefined)
    assert.equal(exploreSearch(request), undefined)
  }
  assert.equal(curlOf({ ...logged('/mcp'), method: 'POST' }, 'https://slots.example'), undefined)
})

function logged(target: string) {
  return { method: 'GET', target, isComplete: true }
}
