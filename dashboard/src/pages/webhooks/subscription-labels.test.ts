import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filtersOf,
  filterWords,
  heldBackTotal,
  heldBackWords,
  hostOf,
  intervalLabel,
  stateOf,
} from './subscription-labels.ts'

test('describes filters in words, with all values of a repeated one', () => {
  assert.deepEqual(
    filterWords('state=MA&state=VT&isVirtual=true').map(({ label, value }) => [label, value]),
    [
      ['State', 'Massachusetts, Vermont'],
      ['Visit type', 'Virtual'],
    ],
  )
  assert.deepEqual(
    filterWords('near=42.36%2C-71.06&radiusKm=10').map(({ label, value }) => [label, value]),
    [['Near', '42.36,-71.06 (10 km)']],
  )
  assert.deepEqual(filterWords(''), [])
})

test('keeps only filters of the state of Explore', () => {
  assert.equal(
    filtersOf({ state: 'MA', city: '', view: 'map', limit: '10', near: '42.36,-71.06' }),
    'state=MA&near=42.36%2C-71.06',
  )
  assert.deepEqual(stateOf('state=MA&isVirtual=true&limit=3'), { state: 'MA', isVirtual: 'true' })
})

test('counts what was held back by rule', () => {
  const held = { heldBack: { flap: 3, firstSync: 1200, heldSource: 0 } }
  assert.deepEqual(heldBackWords(held), ['3 returned within ten minutes', '1,200 in the first sync of a source'])
  assert.equal(heldBackTotal(held), 1203)
})

test('shortens URLs and intervals', () => {
  assert.equal(hostOf('https://example.org:8443/hook?token=1'), 'example.org:8443')
  assert.equal(hostOf('not a url'), 'not a url')
  assert.deepEqual([1, 10, 60, 90, 300, 3600, 86_400].map(intervalLabel), [
    '1 second',
    '10 seconds',
    '1 minute',
    '90 seconds',
    '5 minutes',
    '1 hour',
    '24 hours',
  ])
})
