import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from './optional.ts'

test('leaves out properties that are undefined, and only those', () => {
  assert.deepEqual(Object.entries(defined({ a: undefined, b: null, c: 0, d: '', e: false, f: 'x' })), [
    ['b', null],
    ['c', 0],
    ['d', ''],
    ['e', false],
    ['f', 'x'],
  ])
})
