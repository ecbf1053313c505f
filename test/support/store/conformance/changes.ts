import assert from 'node:assert/strict'
import type { Guarantees } from './bed.ts'
import { addSource, begin, changesSince, draftOf, END, idsOf, keysOf, sync } from './samples.ts'

/** What `ChangeFeed` promises of change sets. */
export const CHANGE_GUARANTEES: Guarantees = {
  'tells everything that lives when asked from no revision': async ({ store }) => {
    assert.deepEqual(await changesSince(store, undefined), { whole: true, revision: 0, born: [], died: [] })
    const source = await addSource(store)
    await sync(store, source, { born: [draftOf('a'), draftOf('b')] })
    await sync(store, source, { died: ['a'] })
    assert.deepEqual(await changesSince(store, undefined), {
      whole: true,
      revision: 2,
      born: ['b'],
      died: [],
    })
  },

  'tells a slot as it was written': async ({ store }) => {
    const source = await addSource(store)
    const draft = draftOf('a', {
      status: 'busy-tentative',
      offeringId: 7,
      startMs: 1_700_000_000_123,
      endMs: 2 ** 45,
    })
    await sync(store, source, { born: [draft] })
    const changes = await store.revisionFeed.open(undefined)
    for await (const slots of changes.inserted()) {
      const { id, offeringId, status, startMs, endMs, json } = draft
      assert.deepEqual(slots, [{ id, offeringId, status, startMs, endMs, json }])
    }
    await changes.close()
  },

  'tells a dead slot with the time it was to start': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { born: [draftOf('a', { startMs: 1_700_000_000_123 })] })
    await sync(store, source, { died: ['a'] })
    const changes = await store.revisionFeed.open(one)
    for await (const slots of changes.deleted())
      assert.deepEqual(slots, [{ id: 'a', startMs: 1_700_000_000_123 }])
    await changes.close()
  },

  'tells only what came after a revision': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { born: [draftOf('a'), draftOf('b'), draftOf('c')] })
    const two = await sync(store, source, { born: [draftOf('d')], died: ['a'] })
    const three = await sync(store, source, { born: [draftOf('b', { json: '{"b":2' })], died: ['b'] })
    const since = (revision: number) => changesSince(store, revision)
    assert.deepEqual(await since(one), { whole: false, revision: three, born: ['b', 'd'], died: ['a', 'b'] })
    assert.deepEqual(await since(two), { whole: false, revision: three, born: ['b'], died: ['b'] })
    assert.deepEqual(await since(three), { whole: false, revision: three, born: [], died: [] })
  },

  'does not mention a slot that was born and died between two revisions': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { born: [draftOf('a')] })
    await sync(store, source, { born: [draftOf('b')] })
    await sync(store, source, { died: ['b'] })
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.born, changes.died], [[], []])
  },

  'tells a slot that died and was born again between two revisions in both lists, once': async ({
    store,
  }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { born: [draftOf('a')] })
    await sync(store, source, { died: ['a'] })
    await sync(store, source, { born: [draftOf('a')] })
    await sync(store, source, { died: ['a'] })
    await sync(store, source, { born: [draftOf('a', { json: '{"a":2' })] })
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.born, changes.died], [['a'], ['a']])
  },

  'says nothing of open syncs, and counts what they are killing as living': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { born: [draftOf('a'), draftOf('b')] })
    await sync(store, await addSource(store, 'b'), { born: [draftOf('z')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('c')], deletes: await keysOf(writer, ['a']) })
    assert.deepEqual((await changesSince(store, undefined)).born, ['a', 'b', 'z'])
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.born, changes.died], [['z'], []])
    await writer.commit({ ...END, connectorState: {} })
    assert.deepEqual((await changesSince(store, one)).died, ['a'])
  },

  'numbers commits in their order, also where one sync began before another and ends after it': async ({
    store,
  }) => {
    const a = await begin(store, await addSource(store, 'a'))
    const b = await begin(store, await addSource(store, 'b'))
    await a.write({ inserts: [draftOf('a')] })
    await b.write({ inserts: [draftOf('b')] })
    const first = await b.commit({ ...END, connectorState: {} })
    const second = await a.commit({ ...END, connectorState: {} })
    assert.ok(first < second)
    assert.deepEqual((await changesSince(store, first)).born, ['a'])
  },

  'stays at one moment while others commit': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { born: [draftOf('a')] })
    const changes = await store.revisionFeed.open(0)
    await sync(store, source, { born: [draftOf('b')], died: ['a'] })
    await store.sources.remove('a')
    assert.deepEqual(await idsOf(changes), { born: ['a'], died: [] })
    await changes.close()
  },

  'reads more rows than fit one piece, each once': async ({ store }) => {
    const source = await addSource(store)
    const many = Array.from({ length: 9_001 }, (_, at) => `s${at}`)
    const writer = await begin(store, source)
    for (let at = 0; at < many.length; at += 5_000) {
      await writer.write({ inserts: many.slice(at, at + 5_000).map((id) => draftOf(id)) })
    }
    const one = await writer.commit({ ...END, connectorState: {} })
    const expected = many.toSorted()
    assert.deepEqual((await changesSince(store, undefined)).born, expected)
    assert.deepEqual((await changesSince(store, 0)).born, expected)
    await store.sources.remove('a')
    assert.deepEqual((await changesSince(store, one)).died, expected)
  },

  'starts anew for a revision that the store has not reached': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { born: [draftOf('a')] })
    assert.deepEqual(await changesSince(store, 5), { whole: true, revision: 1, born: ['a'], died: [] })
  },
}
