import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSourceListState, parseSourceListState } from './source-list-state.ts'

test('keeps search, filter, order and page in the URL', () => {
  const parameters = { search: 'north', health: 'attention', order: 'slots', page: '3' }
  const state = parseSourceListState(parameters)
  assert.deepEqual(state, { ...parameters, page: 3 })
  assert.deepEqual(formatSourceListState(state), parameters)
})

test('leaves defaults out of the URL', () => {
  assert.deepEqual(formatSourceListState(parseSourceListState({})), {})
})

test('ignores unknown values in the URL', () => {
  const state = parseSourceListState({ health: 'toString', order: 'best', page: '0', search: 5, other: 'x' })
  assert.deepEqual(state, { search: '', health: '', order: 'worst', page: 1 })
})
