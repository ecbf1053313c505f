import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intervalOfPages } from './queries.ts'

test('a list is read again at a rate of requests that does not grow with its pages', () => {
  const interval = intervalOfPages(15_000)
  assert.equal(interval({ state: {} }), 15_000)
  assert.equal(interval({ state: { data: { pages: [{}] } } }), 15_000)
  assert.equal(interval({ state: { data: { pages: [{}, {}, {}] } } }), 45_000)
})
