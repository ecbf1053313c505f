import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTempStore } from '../../../test/support/store/temp-store.ts'
import { DAY_MS } from '../../lib/time.ts'

test('a lock that was taken by a clock that was ahead is free', async (t) => {
  let nowMs = 1_900_000_000_000
  const { jobLocks } = await openTempStore(t, () => nowMs)
  assert.equal(await jobLocks.acquire('chore', 'killed', 30_000), true)
  nowMs -= 1000
  assert.equal(await jobLocks.acquire('chore', 'other', 30_000), false)
  nowMs -= DAY_MS
  assert.equal(await jobLocks.acquire('chore', 'other', 30_000), true)
  assert.equal(await jobLocks.acquire('chore', 'killed', 30_000), false)
})
