import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSource, begin, LEASE } from '../../../test/support/store/conformance/samples.ts'
import { openTempStore } from '../../../test/support/store/temp-store.ts'
import { DAY_MS } from '../../lib/time.ts'

test('a source whose lease was taken by a clock that was ahead is free', async (t) => {
  let nowMs = 1_900_000_000_000
  const store = await openTempStore(t, () => nowMs)
  const source = await addSource(store)
  await begin(store, source)
  nowMs -= 1000
  assert.equal(await store.snapshots.begin(source.id, { ...LEASE, owner: 'other' }), undefined)
  nowMs -= DAY_MS
  await begin(store, source, { ...LEASE, owner: 'other' })
  assert.equal(await store.snapshots.begin(source.id, LEASE), undefined)
})
