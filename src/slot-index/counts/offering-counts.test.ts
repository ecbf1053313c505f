import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedPairs } from '../../../test/support/slot-index/counted-pairs.ts'
import { runAtOnce } from '../../lib/steps.ts'
import { selectOfferings } from './offering-counts.ts'

/** More than a block of every tenth. */
const OFFERINGS = 200_001

test('selects the offerings that have rows and whose bit is set, whether they are few or many', () => {
  const sums = Uint32Array.from({ length: OFFERINGS }, (_, offering) => offering % 7)
  const expected = (every: number) =>
    [...sums].flatMap((count, offering): [number, number][] =>
      count > 0 && offering % every === 0 ? [[offering, count]] : [],
    )
  assert.deepEqual(countedPairs(runAtOnce(selectOfferings(sums, undefined))), expected(1))
  for (const every of [1, 2, 10]) {
    const bits = new Uint32Array((OFFERINGS >>> 5) + 1)
    for (let offering = 0; offering < OFFERINGS; offering += every) bits[offering >>> 5] |= 1 << (offering & 31)
    assert.deepEqual(countedPairs(runAtOnce(selectOfferings(sums, bits))), expected(every))
  }
})
