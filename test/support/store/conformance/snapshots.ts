import assert from 'node:assert/strict'
import { LimitReached } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import {
  addSource,
  begin,
  changesSince,
  draftOf,
  END,
  idsOf,
  keysOf,
  living,
  OFFERING,
  outcomeOf,
  sync,
} from './samples.ts'

/** `SnapshotWriter`: writing snapshots. */
export const SNAPSHOT_GUARANTEES: Guarantees = {
  'shows a snapshot completely at its commit and not before, also to an open reader': async ({ store, open }) => {
    const other = await open()
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('old'), draftOf('kept')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('new1')], deletes: await keysOf(writer, ['old']) })
    await writer.write({ inserts: [draftOf('new2')] })
    const reader = await other.revisionFeed.open(undefined)
    assert.deepEqual([...(await living(other)).keys()].sort(), ['kept', 'old'])
    await writer.commit({ ...END, connectorState: {} })
    assert.deepEqual((await idsOf(reader)).inserted, ['kept', 'old'])
    await reader.close()
    assert.deepEqual([...(await living(other)).keys()].sort(), ['kept', 'new1', 'new2'])
  },

  'stores the outcome, connector state and size of a committed snapshot': async ({ store, clock }) => {
    const source = await addSource(store)
    const memory = { etag: '"x"', files: [1, 2] }
    const outcome = outcomeOf({ outcome: 'partial', rejected: 3 })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('a'), draftOf('b')] })
    clock.nowMs += 500
    await writer.commit({ outcome, rejections: [], nextSyncAtMs: 77, connectorState: memory })
    assert.deepEqual(await store.sources.find('a'), {
      ...source,
      connectorState: memory,
      nextSyncAtMs: 77,
      lastSync: outcome,
      slotCount: 2,
      lastCheckedAtMs: HARNESS_STARTS_MS + 500,
      changedAtMs: HARNESS_STARTS_MS + 500,
      watch: { ...source.watch, lastRead: outcome },
    })
  },

  'commits no more slots than all sources together may have': async ({ store, open }) => {
    const [a, b] = [await addSource(store, 'a'), await addSource(store, 'b')]
    const other = await open()
    const grow = async (target: typeof store, source: typeof a, slots: number) => {
      const writer = await begin(target, source)
      await writer.write({ inserts: Array.from({ length: slots }, (_, n) => draftOf(`${source.slug}${n}`)) })
      return writer
    }
    const writers = [await grow(store, a, 3), await grow(other, b, 3)]
    assert.deepEqual(await Promise.all(writers.map((writer) => writer.countOtherSlots())), [0, 0])
    const end = { ...END, connectorState: {}, slotsMax: 5 }
    const ends = await Promise.allSettled(writers.map((writer) => writer.commit(end)))
    const failed = ends.findIndex((each) => each.status === 'rejected')
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.ok(ends[failed].status === 'rejected' && ends[failed].reason instanceof LimitReached)
    assert.equal(await writers[failed].countOtherSlots(), 3)
    await writers[failed].abandon(END)
    assert.equal((await living(store)).size, 3)
    const loser = failed === 0 ? a : b
    assert.equal(await (await grow(store, loser, 2)).commit(end), 2)
    const shrinking = await begin(store, loser)
    await shrinking.write({ deletes: await keysOf(shrinking, [`${loser.slug}0`]) })
    assert.equal(await shrinking.commit({ ...end, slotsMax: 1 }), 3)
  },

  'gives a new revision only if a slot changed': async ({ store }) => {
    const source = await addSource(store)
    assert.equal(await sync(store, source, {}), 0)
    assert.equal(await sync(store, source, { inserted: [draftOf('a')] }), 1)
    assert.equal(await sync(store, source, {}), 1)
    const writer = await begin(store, source)
    await writer.write({ moves: [{ key: (await keysOf(writer, ['a']))[0], part: 4, fingerprint: 9 }] })
    assert.equal(await writer.commit({ ...END, connectorState: {} }), 1)
    assert.equal((await store.revisionFeed.revisions()).slots, 1)
    assert.equal(await sync(store, source, { deleted: ['a'] }), 2)
  },

  'undoes an abandoned sync, and keeps the connector state and snapshot of the last good one': async ({ store }) => {
    const source = await addSource(store)
    const memory = { etag: 1 }
    const good = await begin(store, source)
    await good.write({ inserts: [draftOf('a'), draftOf('b')] })
    await good.commit({ ...END, connectorState: memory })
    const writer = await begin(store, source)
    const [a] = await keysOf(writer, ['a'])
    await writer.write({
      inserts: [draftOf('c')],
      deletes: await keysOf(writer, ['b']),
      moves: [{ key: a, part: 5, fingerprint: 6 }],
    })
    const outcome = outcomeOf({ outcome: 'failed', error: 'cut off' })
    await writer.abandon({ outcome, rejections: [], nextSyncAtMs: 99 })
    const { slots } = await store.revisionFeed.revisions()
    assert.equal(slots, 1)
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'b'])
    const state = await store.sources.find('a')
    assert.deepEqual(
      [state?.connectorState, state?.failures, state?.lastSync, state?.slotCount],
      [memory, 1, outcome, 2],
    )
    assert.deepEqual(await heldOf(store, source), { parts: [0, 0], fingerprints: [1, 1] })
  },

  'counts consecutive failures until a sync does not fail': async ({ store }) => {
    const source = await addSource(store)
    const failures = async () => (await store.sources.find('a'))?.failures
    const failed = { ...END, outcome: outcomeOf({ outcome: 'failed', error: 'x' }) }
    await (await begin(store, source)).abandon(failed)
    await (await begin(store, source)).abandon(failed)
    assert.equal(await failures(), 2)
    await (await begin(store, source)).abandon({ ...END, outcome: outcomeOf({ unchanged: true }) })
    assert.equal(await failures(), 0)
    await (await begin(store, source)).abandon(failed)
    await (await begin(store, source)).commit({ ...END, connectorState: {} })
    assert.equal(await failures(), 0)
  },

  'returns the last snapshot by ascending key, whatever the sync has written since': async ({ store }) => {
    const source = await addSource(store)
    const other = await addSource(store, 'b')
    await sync(store, source, { inserted: [draftOf('a', { part: 1, fingerprint: 11 })] })
    await sync(store, other, { inserted: [draftOf('z')] })
    await sync(store, source, {
      inserted: [draftOf('b', { part: 2, fingerprint: 2 ** 52 - 1 }), draftOf('c')],
    })
    await sync(store, source, { deleted: ['c'] })
    const writer = await begin(store, source)
    const before = await writer.readStored()
    assert.deepEqual([...before.parts], [1, 2])
    assert.deepEqual([...before.fingerprints], [11, 2 ** 52 - 1])
    assert.ok(before.keys[0] < before.keys[1])
    await writer.write({
      deletes: [before.keys[0]],
      inserts: [draftOf('d')],
      moves: [{ key: before.keys[1], part: 7, fingerprint: 8 }],
    })
    assert.deepEqual(await writer.readStored(), before)
  },

  'finds stored and drafted slots of the sync, and no deleted ones': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, await addSource(store, 'b'), { inserted: [draftOf('x')] })
    await sync(store, source, { inserted: [draftOf('a', { status: 'busy' }), draftOf('b')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('c', { json: '{"c":1', part: 3, fingerprint: 33 })] })
    const [c] = await writer.findStored(['c'])
    assert.deepEqual(
      { ...c, key: 0 },
      {
        key: 0,
        id: 'c',
        offeringId: 1,
        status: 'free',
        json: '{"c":1',
        part: 3,
        fingerprint: 33,
        drafted: true,
      },
    )
    const held = await writer.findStored(['a', 'b', 'c', 'x', 'nothing'])
    assert.deepEqual(held.map((slot) => [slot.id, slot.drafted, slot.status]).sort(), [
      ['a', false, 'busy'],
      ['b', false, 'free'],
      ['c', true, 'free'],
    ])
    await writer.write({ deletes: held.filter((slot) => slot.id !== 'b').map((slot) => slot.key) })
    assert.deepEqual(
      (await writer.findStored(['a', 'b', 'c'])).map((slot) => slot.id),
      ['b'],
    )
    await writer.write({ inserts: [draftOf('a', { status: 'free' })] })
    assert.deepEqual(
      (await writer.findStored(['a'])).map((slot) => [slot.drafted, slot.status]),
      [[true, 'free']],
    )
    await writer.commit({ ...END, connectorState: {} })
    assert.equal((await store.sources.find('a'))?.slotCount, 2)
  },

  'keeps nothing of a slot that one sync drafted and deleted': async ({ store }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('a')] })
    await writer.write({ deletes: await keysOf(writer, ['a']) })
    assert.equal(await writer.commit({ ...END, connectorState: {} }), 0)
    assert.deepEqual(await changesSince(store, undefined), {
      whole: true,
      revision: 0,
      inserted: [],
      deleted: [],
    })
  },

  'counts a key that is deleted twice once': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const writer = await begin(store, source)
    const [a] = await keysOf(writer, ['a'])
    await writer.write({ deletes: [a, a] })
    await writer.write({ deletes: [a] })
    await writer.commit({ ...END, connectorState: {} })
    assert.equal((await store.sources.find('a'))?.slotCount, 1)
  },

  'stores the position of a slot from the commit on, move after move': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    for (const place of [
      { part: 2, fingerprint: 20 },
      { part: 3, fingerprint: 30 },
    ]) {
      const writer = await begin(store, source)
      const [key] = await keysOf(writer, ['a'])
      await writer.write({ moves: [{ key, part: 99, fingerprint: 99 }] })
      await writer.write({ moves: [{ key, ...place }] })
      const [found] = await writer.findStored(['a'])
      assert.deepEqual([found.part, found.fingerprint], [place.part, place.fingerprint])
      await writer.commit({ ...END, connectorState: {} })
      assert.deepEqual(await heldOf(store, source), {
        parts: [place.part],
        fingerprints: [place.fingerprint],
      })
    }
  },

  'undoes the moves of an abandoned sync, and keeps the committed one before it': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    const move = async (part: number) => {
      const writer = await begin(store, source)
      const [key] = await keysOf(writer, ['a'])
      await writer.write({ moves: [{ key, part, fingerprint: part * 10 }] })
      return writer
    }
    await (await move(2)).commit({ ...END, connectorState: {} })
    await (await move(3)).abandon(END)
    assert.deepEqual(await heldOf(store, source), { parts: [2], fingerprints: [20] })
  },

  'stores equal offerings once, in the given order, and returns them by id': async ({ store, open }) => {
    const source = await addSource(store)
    const second = { ...OFFERING, scheduleId: 's2', location: { name: 'Zürich' } }
    const writer = await begin(store, source)
    const ids = await writer.putOfferings([second, OFFERING, { ...OFFERING }, second])
    assert.deepEqual([ids[1], ids[3]], [ids[2], ids[0]])
    assert.notEqual(ids[0], ids[1])
    assert.deepEqual(await writer.putOfferings([]), [])
    await writer.commit({ ...END, connectorState: {} })
    const again = await begin(await open(), source)
    assert.deepEqual(await again.putOfferings([{ ...OFFERING }]), [ids[1]])
    const changes = await store.revisionFeed.open(undefined)
    const found = await changes.offerings([ids[0], ids[1], 999])
    await changes.close()
    assert.deepEqual(
      found.map((offering) => [offering.id, JSON.parse(offering.json)]).sort(),
      [
        [ids[0], second],
        [ids[1], OFFERING],
      ].sort(),
    )
  },
}

async function heldOf(store: Parameters<typeof begin>[0], source: { id: number }) {
  const writer = await begin(store, source)
  const held = await writer.readStored()
  await writer.abandon(END)
  return { parts: [...held.parts], fingerprints: [...held.fingerprints] }
}
