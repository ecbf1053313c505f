import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { foldReplaced } from './key-labels.ts'

const key = (id: string, replacedBy?: string): KeyView => ({
  id,
  name: 'web',
  lastFour: id.padEnd(4, '.'),
  createdAtMs: 0,
  status: 'active',
  hints: [],
  ...(replacedBy !== undefined && { replacedBy }),
})

test('lists a replaced key below its successor', () => {
  const keys = [key('c'), key('x'), key('a', 'b'), key('b', 'c'), key('y', 'gone')]
  assert.deepEqual(
    foldReplaced(keys).map(({ keyView, successor }) => [keyView.id, successor?.id]),
    [
      ['c', undefined],
      ['b', 'c'],
      ['a', 'b'],
      ['x', undefined],
      ['y', undefined],
    ],
  )
})
