import assert from 'node:assert/strict'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, keysOf, living, sync } from './samples.ts'

const HALF_A_MINUTE_MS = 30_000

/** Bounds of deleted row versions: replaced slots and abandoned syncs must not fill the disk. */
export const DELETED_VERSION_GUARANTEES: Guarantees = {
  'keeps at most as many deleted versions as visible ones or the minimum, the newest first': async ({
    store,
    clock,
  }) => {
    const source = await addSource(store)
    const revisions: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      revisions.push(await replace(store, source, turn))
      clock.nowMs += HALF_A_MINUTE_MS
    }
    // Three visible versions, twelve deleted ones.
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 100), 0)
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 7), 6)
    assert.equal((await changesSince(store, revisions[1])).whole, true)
    assert.deepEqual((await changesSince(store, revisions[2])).deleted, ['2-0', '2-1', '2-2'])
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 0), 3)
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 0), 0)
    assert.equal((await changesSince(store, revisions[3])).whole, false)
    assert.equal((await living(store)).size, 3)
  },

  'keeps versions deleted within the last 30 seconds, which nodes may still read': async ({ store, clock }) => {
    const source = await addSource(store)
    const inserted = await replace(store, source, 0)
    await sync(store, source, { deleted: ['0-0', '0-1', '0-2'] })
    clock.nowMs += HALF_A_MINUTE_MS - 1
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 0), 0)
    assert.equal((await changesSince(store, inserted)).whole, false)
    clock.nowMs += 1
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 0), 3)
  },

  'counts the slots of a removed source as deleted versions': async ({ store, clock }) => {
    const source = await addSource(store)
    await replace(store, source, 0)
    await store.sources.remove('a')
    clock.nowMs += HALF_A_MINUTE_MS
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 3), 0)
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 2), 3)
  },

  'undoes a sync whose lease expired long ago, and rejects its later writes': async ({ store, clock }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const lost = await begin(store, source)
    await lost.write({ inserts: [draftOf('c'), draftOf('d')], deletes: await keysOf(lost, ['a']) })
    clock.nowMs += HOUR_MS
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 0)
    clock.nowMs += 60_001
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 3)
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'b'])
    await assert.rejects(lost.write({ inserts: [draftOf('e')] }))
    await assert.rejects(lost.commit({ ...END, connectorState: {} }))
    await sync(store, source, { deleted: ['a'] })
    assert.deepEqual([...(await living(store)).keys()], ['b'])
  },

  'never undoes a sync that still holds its lease': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    for (let minute = 0; minute < 150; minute++) {
      clock.nowMs += 50_000
      await writer.write(minute === 0 ? { inserts: [draftOf('a')] } : {})
    }
    await store.revisionFeed.purge(HOUR_MS, clock.nowMs, 0)
    await writer.commit({ ...END, connectorState: {} })
    assert.deepEqual([...(await living(store)).keys()], ['a'])
  },
}

/** Replaces all slots by three new ones. */
async function replace(store: Store, source: { id: number }, turn: number): Promise<number> {
  const named = (of: number) => Array.from({ length: 3 }, (_, at) => `${of}-${at}`)
  return sync(store, source, {
    inserted: named(turn).map((id) => draftOf(id)),
    deleted: turn === 0 ? [] : named(turn - 1),
  })
}
