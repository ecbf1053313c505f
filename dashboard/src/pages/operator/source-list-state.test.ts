import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSourceListState, nextOrder, parseSourceListState } from './source-list-state.ts'

test('keeps search, filter, order and page in the URL', () => {
  const parameters = { search: 'north', health: 'attention', reason: 'HTTP status 404', order: '-slots', page: '3' }
  const state = parseSourceListState(parameters)
  assert.deepEqual(state, { ...parameters, page: 3 })
  assert.deepEqual(formatSourceListState(state), parameters)
})

test('leaves defaults out of the URL', () => {
  assert.deepEqual(formatSourceListState(parseSourceListState({})), {})
})

test('ignores unknown values in the URL', () => {
  const state = parseSourceListState({ health: 'toString', order: 'worst', page: '0', search: 5, other: 'x' })
  assert.deepEqual(state, { search: '', health: '', reason: '', order: 'health', page: 1 })
})

test('sorts by a column, then in the opposite order; the most slots come first', () => {
  assert.deepEqual(
    [nextOrder('health', 'name'), nextOrder('name', 'name'), nextOrder('-name', 'name')],
    ['name', '-name', 'name'],
  )
  assert.deepEqual([nextOrder('health', 'slots'), nextOrder('-slots', 'slots')], ['-slots', 'slots'])
})
