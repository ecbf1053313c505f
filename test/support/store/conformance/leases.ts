import assert from 'node:assert/strict'
import type { SnapshotWriter } from '../../../../src/store/contracts/snapshots.ts'
import { LeaseLost } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, keysOf, LEASE, living, OFFERING, sync } from './samples.ts'

const OTHER = { owner: 'other', leaseMs: 60_000 }

/** `SnapshotStore`: leases. */
export const LEASE_GUARANTEES: Guarantees = {
  'lets one sync at a time write to a source, and other syncs to other sources': async ({ store, open }) => {
    const other = await open()
    const a = await addSource(store, 'a')
    const b = await addSource(store, 'b')
    const writer = await begin(store, a)
    assert.equal(await other.snapshots.begin(a.id, OTHER), undefined)
    assert.notEqual(await other.snapshots.begin(b.id, OTHER), undefined)
    await writer.commit({ ...END, connectorState: {} })
    assert.notEqual(await other.snapshots.begin(a.id, OTHER), undefined)
  },

  'releases the lease of an abandoned sync': async ({ store }) => {
    const source = await addSource(store)
    await (await begin(store, source)).abandon(END)
    assert.notEqual(await store.snapshots.begin(source.id, OTHER), undefined)
  },

  'extends the lease with every write': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    clock.nowMs += 40_000
    await writer.write({ inserts: [draftOf('a')] })
    clock.nowMs += 40_000
    assert.equal(await store.snapshots.begin(source.id, OTHER), undefined)
    clock.nowMs += 30_000
    assert.notEqual(await store.snapshots.begin(source.id, OTHER), undefined)
  },

  'hands a source over after the lease expires, and undoes the abandoned sync': async ({ store, open, clock }) => {
    const other = await open()
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const late = await begin(store, source)
    const [a, b] = await keysOf(late, ['a', 'b'])
    await late.write({ inserts: [draftOf('c')], deletes: [a], moves: [{ key: b, part: 9, fingerprint: 9 }] })
    clock.nowMs += 60_001
    const next = await begin(other, source, OTHER)
    const held = await next.readStored()
    assert.deepEqual(
      [[...held.keys], [...held.parts], [...held.fingerprints]],
      [
        [a, b],
        [0, 0],
        [1, 1],
      ],
    )
    assert.deepEqual(await next.findStored(['c']), [])
    await refusesAll(late)
    await next.write({ inserts: [draftOf('d')] })
    await next.commit({ ...END, connectorState: {} })
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'b', 'd'])
    assert.equal((await store.sources.find('a'))?.slotCount, 3)
  },

  'continues after the lease expires if no other sync took it': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    clock.nowMs += 600_000
    await writer.write({ inserts: [draftOf('a')] })
    await writer.commit({ ...END, connectorState: {} })
    assert.equal((await living(store)).size, 1)
  },

  'lets an owner begin again at once, which ends its earlier sync': async ({ store }) => {
    const source = await addSource(store)
    const early = await begin(store, source, LEASE)
    await early.write({ inserts: [draftOf('a')] })
    const late = await begin(store, source, LEASE)
    await refusesAll(early)
    await late.commit({ ...END, connectorState: {} })
    assert.equal((await living(store)).size, 0)
  },

  'records that a sync has begun, until it ends': async ({ store, open, clock }) => {
    const source = await addSource(store)
    const resume = { ...LEASE, resume: true }
    assert.equal(await store.snapshots.begin(source.id, resume), undefined)
    assert.equal((await begin(store, source)).followsCrash, false)
    assert.equal(await store.snapshots.begin(source.id, { ...OTHER, resume: true }), undefined)
    assert.equal((await begin(store, source, resume)).followsCrash, false)
    clock.nowMs += 70_000
    assert.equal(await store.snapshots.begin(source.id, { ...OTHER, resume: true }), undefined)
    const next = await begin(await open(), source, OTHER)
    assert.equal(next.followsCrash, true)
    await next.abandon(END)
    assert.equal(await store.snapshots.begin(source.id, resume), undefined)
    assert.equal((await begin(store, source)).followsCrash, false)
  },

  'ends a running sync when its source is paused': async ({ store, open }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    await writer.check()
    await (await open()).sources.setPaused('a', true)
    await assert.rejects(writer.check(), LeaseLost)
    await refusesAll(writer)
    assert.equal((await begin(store, source, OTHER)).followsCrash, false)
  },

  'rejects all calls after the end of the sync': async ({ store }) => {
    const writer = await begin(store, await addSource(store))
    await writer.commit({ ...END, connectorState: {} })
    await refusesAll(writer)
  },

  'rejects a sync of a source that does not exist': async ({ store }) => {
    await assert.rejects(store.snapshots.begin(17, LEASE), LeaseLost)
  },
}

async function refusesAll(writer: SnapshotWriter): Promise<void> {
  await assert.rejects(writer.readStored(), LeaseLost)
  await assert.rejects(writer.findStored(['a']), LeaseLost)
  await assert.rejects(writer.putOfferings([OFFERING]), LeaseLost)
  await assert.rejects(writer.write({ inserts: [draftOf('late')] }), LeaseLost)
  await assert.rejects(writer.commit({ ...END, connectorState: {} }), LeaseLost)
  await assert.rejects(writer.abandon(END), LeaseLost)
}
