import assert from 'node:assert/strict'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, keysOf, living, OFFERING, sync } from './samples.ts'

/** `RevisionFeed.purge`, and what it must not affect. */
export const PURGE_GUARANTEES: Guarantees = {
  'deletes deleted versions after the retention, and not before': async ({ store, clock }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    await sync(store, source, { deleted: ['a'] })
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 0)
    clock.nowMs += HOUR_MS
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 1)
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 0)
    assert.deepEqual([...(await living(store)).keys()], ['b'])
  },

  'makes only a node whose revision was purged read everything': async ({ store, clock }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const two = await sync(store, source, { deleted: ['a'] })
    clock.nowMs += HOUR_MS
    const three = await sync(store, source, { deleted: ['b'], inserted: [draftOf('c')] })
    await store.revisionFeed.purge(HOUR_MS, clock.nowMs)
    assert.deepEqual(await changesSince(store, one), {
      whole: true,
      revision: three,
      inserted: ['c'],
      deleted: [],
    })
    assert.deepEqual(await changesSince(store, two), {
      whole: false,
      revision: three,
      inserted: ['c'],
      deleted: ['b'],
    })
  },

  'deletes thousands of slots of a removed source after the retention': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    const ids = Array.from({ length: 6_000 }, (_, at) => `s${at}`)
    await writer.putOfferings([OFFERING])
    await writer.write({ inserts: ids.slice(0, 3_000).map((id) => draftOf(id)) })
    await writer.write({ inserts: ids.slice(3_000).map((id) => draftOf(id)) })
    await writer.commit({ ...END, connectorState: {} })
    await store.sources.remove('a')
    assert.equal(await store.revisionFeed.purge(HOUR_MS, clock.nowMs), 0)
    assert.equal((await changesSince(store, 1)).deleted.length, 6_000)
    assert.equal(await store.revisionFeed.purge(0, clock.nowMs), 6_001)
    assert.deepEqual(await changesSince(store, undefined), {
      whole: true,
      revision: 3,
      inserted: [],
      deleted: [],
    })
  },

  'undoes an interrupted sync of a removed source': async ({ store, clock }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('c')], deletes: await keysOf(writer, ['a']) })
    await store.sources.remove('a')
    assert.equal(await store.revisionFeed.purge(0, clock.nowMs), 2)
    await addSource(store)
    assert.deepEqual((await changesSince(store, undefined)).inserted, [])
  },

  'deletes offerings that no slot refers to': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    const [used, unused] = await writer.putOfferings([OFFERING, { ...OFFERING, scheduleId: 's2' }])
    await writer.write({
      inserts: [draftOf('a', { offeringId: used }), draftOf('b', { offeringId: unused })],
    })
    await writer.commit({ ...END, connectorState: {} })
    await sync(store, source, { deleted: ['b'] })
    assert.equal(await store.revisionFeed.purge(0, clock.nowMs), 2)
    const changes = await store.revisionFeed.open(undefined)
    assert.deepEqual(
      (await changes.offerings([used, unused])).map((offering) => offering.id),
      [used],
    )
    await changes.close()
  },

  'returns the offerings that it deleted, until later changes are purged as well': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    const [used, unused] = await writer.putOfferings([OFFERING, { ...OFFERING, scheduleId: 's2' }])
    await writer.write({ inserts: [draftOf('a', { offeringId: used }), draftOf('b', { offeringId: unused })] })
    await writer.commit({ ...END, connectorState: {} })
    const two = await sync(store, source, { deleted: ['b'] })
    await store.revisionFeed.purge(0, clock.nowMs)
    const told = async (after: number, asOf: number) => {
      const log = await store.changeLog.open(asOf)
      const [dropped, ...others] = await log.droppedOfferings({ after, until: asOf })
      const present: number[] = []
      if (dropped !== undefined)
        for await (const rows of log.offeringsOf(dropped)) present.push(...rows.map(({ id }) => id))
      await log.close()
      return { dropped: dropped?.offerings, others, present: present.sort() }
    }
    const drop = { dropped: [JSON.stringify({ ...OFFERING, scheduleId: 's2' })], others: [], present: [used] }
    assert.deepEqual(await told(two, two + 1), drop)
    assert.deepEqual(await told(two + 1, two + 1), { dropped: undefined, others: [], present: [] })
    const delta = await store.revisionFeed.open(two)
    assert.deepEqual([delta.revision, delta.whole, delta.lastDrop], [two + 1, false, two + 1])
    await delta.close()
    // What is dropped later was there as of the revision.
    await sync(store, source, { deleted: ['a'] })
    clock.nowMs += 1
    const log = await store.changeLog.open(two + 1)
    assert.equal((await log.droppedOfferings({ after: two, until: two + 1 })).length, 1)
    await log.close()
    await store.revisionFeed.purge(0, clock.nowMs)
    assert.deepEqual((await told(two + 2, two + 3)).dropped?.length, 1)
    assert.deepEqual((await told(two, two + 1)).dropped, undefined)
    const earlier = await store.changeLog.open(two + 2)
    const stored = await earlier.offerings([used, unused])
    await earlier.close()
    assert.deepEqual(
      stored.map(({ id }) => id),
      [used],
    )
  },

  'keeps offerings while a sync of their source is open, since it may use them': async (harness) => {
    const { store, clock } = harness
    const source = await addSource(store)
    const first = await begin(store, source)
    const [id] = await first.putOfferings([OFFERING])
    await first.write({ inserts: [draftOf('a', { offeringId: id })] })
    await first.commit({ ...END, connectorState: {} })
    await sync(store, source, { deleted: ['a'] })
    const writer = await begin(store, source)
    assert.deepEqual(await writer.putOfferings([OFFERING]), [id])
    await store.revisionFeed.purge(0, clock.nowMs)
    await writer.write({ inserts: [draftOf('b', { offeringId: id })] })
    await writer.commit({ ...END, connectorState: {} })
    const changes = await store.revisionFeed.open(undefined)
    assert.equal((await changes.offerings([id])).length, 1)
    await changes.close()
  },

  'keeps the MVCC snapshot of a reader while it deletes': async ({ store, clock }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    const changes = await store.revisionFeed.open(undefined)
    await store.sources.remove('a')
    await store.revisionFeed.purge(0, clock.nowMs)
    const inserted: string[] = []
    for await (const slots of changes.inserted()) inserted.push(...slots.map((slot) => slot.id))
    await changes.close()
    assert.deepEqual(inserted, ['a'])
  },

  'never moves the horizon backward': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    await store.revisionFeed.purge(0, HARNESS_STARTS_MS)
    await store.revisionFeed.purge(0, HARNESS_STARTS_MS - HOUR_MS)
    assert.equal((await changesSince(store, 0)).whole, true)
    assert.equal((await changesSince(store, 1)).whole, false)
  },
}
