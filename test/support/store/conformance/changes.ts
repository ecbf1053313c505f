import assert from 'node:assert/strict'
import type { Guarantees } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, idsOf, keysOf, sync } from './samples.ts'

/** `RevisionFeed`: revision deltas. */
export const CHANGE_GUARANTEES: Guarantees = {
  'returns all visible slots without a revision': async ({ store }) => {
    assert.deepEqual(await changesSince(store, undefined), {
      whole: true,
      revision: 0,
      inserted: [],
      deleted: [],
    })
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    await sync(store, source, { deleted: ['a'] })
    assert.deepEqual(await changesSince(store, undefined), {
      whole: true,
      revision: 2,
      inserted: ['b'],
      deleted: [],
    })
  },

  'returns a slot as written': async ({ store }) => {
    const source = await addSource(store)
    const draft = draftOf('a', {
      status: 'busy-tentative',
      offeringId: 7,
      startMs: 1_700_000_000_123,
      endMs: 2 ** 45,
    })
    await sync(store, source, { inserted: [draft] })
    const changes = await store.revisionFeed.open(undefined)
    const { id, offeringId, status, startMs, endMs, json } = draft
    const expected = { offeringId, status, startMs, endMs, json }
    const read: unknown[] = []
    for await (const slots of changes.inserted()) read.push(...slots)
    for await (const slots of changes.insertedIn({ from: 0, to: changes.keysEnd })) read.push(...slots)
    assert.deepEqual(read, [{ id, ...expected }, expected])
    await changes.close()
  },

  'returns the visible slots of each range of keys': async ({ store }) => {
    const source = await addSource(store)
    const drafts = ['a', 'b', 'c', 'd', 'e'].map((id) => draftOf(id, { json: `{"id":"${id}"` }))
    await sync(store, source, { inserted: drafts })
    await sync(store, source, { deleted: ['b'] })
    const changes = await store.revisionFeed.open(undefined)
    const read: string[] = []
    for (let from = 0; from < changes.keysEnd; from += 2)
      for await (const slots of changes.insertedIn({ from, to: from + 2 })) read.push(...slots.map(({ json }) => json))
    await changes.close()
    assert.deepEqual(
      read.sort(),
      ['a', 'c', 'd', 'e'].map((id) => `{"id":"${id}"`),
    )
  },

  'returns a deleted slot with its start': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a', { startMs: 1_700_000_000_123 })] })
    await sync(store, source, { deleted: ['a'] })
    const changes = await store.revisionFeed.open(one)
    for await (const slots of changes.deleted()) assert.deepEqual(slots, [{ id: 'a', startMs: 1_700_000_000_123 }])
    await changes.close()
  },

  'returns only changes after a revision': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a'), draftOf('b'), draftOf('c')] })
    const two = await sync(store, source, { inserted: [draftOf('d')], deleted: ['a'] })
    const three = await sync(store, source, { inserted: [draftOf('b', { json: '{"b":2' })], deleted: ['b'] })
    const since = (revision: number) => changesSince(store, revision)
    assert.deepEqual(await since(one), {
      whole: false,
      revision: three,
      inserted: ['b', 'd'],
      deleted: ['a', 'b'],
    })
    assert.deepEqual(await since(two), { whole: false, revision: three, inserted: ['b'], deleted: ['b'] })
    assert.deepEqual(await since(three), { whole: false, revision: three, inserted: [], deleted: [] })
  },

  'leaves out a slot that was inserted and deleted between two revisions': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a')] })
    await sync(store, source, { inserted: [draftOf('b')] })
    await sync(store, source, { deleted: ['b'] })
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.inserted, changes.deleted], [[], []])
  },

  'lists a slot that was deleted and inserted again once as deleted and once as inserted': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a')] })
    await sync(store, source, { deleted: ['a'] })
    await sync(store, source, { inserted: [draftOf('a')] })
    await sync(store, source, { deleted: ['a'] })
    await sync(store, source, { inserted: [draftOf('a', { json: '{"a":2' })] })
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.inserted, changes.deleted], [['a'], ['a']])
  },

  'ignores open syncs and shows the slots that they delete': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    await sync(store, await addSource(store, 'b'), { inserted: [draftOf('z')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('c')], deletes: await keysOf(writer, ['a']) })
    assert.deepEqual((await changesSince(store, undefined)).inserted, ['a', 'b', 'z'])
    const changes = await changesSince(store, one)
    assert.deepEqual([changes.inserted, changes.deleted], [['z'], []])
    await writer.commit({ ...END, connectorState: {} })
    assert.deepEqual((await changesSince(store, one)).deleted, ['a'])
  },

  'numbers overlapping syncs in the order of their commits': async ({ store }) => {
    const a = await begin(store, await addSource(store, 'a'))
    const b = await begin(store, await addSource(store, 'b'))
    await a.write({ inserts: [draftOf('a')] })
    await b.write({ inserts: [draftOf('b')] })
    const first = await b.commit({ ...END, connectorState: {} })
    const second = await a.commit({ ...END, connectorState: {} })
    assert.ok(first < second)
    assert.deepEqual((await changesSince(store, first)).inserted, ['a'])
  },

  'reads one MVCC snapshot while others commit': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    const changes = await store.revisionFeed.open(0)
    await sync(store, source, { inserted: [draftOf('b')], deleted: ['a'] })
    await store.sources.remove('a')
    assert.deepEqual(await idsOf(changes), { inserted: ['a'], deleted: [] })
    await changes.close()
  },

  'reads more rows than fit in one batch, each once': async ({ store }) => {
    const source = await addSource(store)
    const many = Array.from({ length: 9_001 }, (_, at) => `s${at}`)
    const writer = await begin(store, source)
    for (let at = 0; at < many.length; at += 5_000) {
      await writer.write({ inserts: many.slice(at, at + 5_000).map((id) => draftOf(id)) })
    }
    const one = await writer.commit({ ...END, connectorState: {} })
    const expected = many.toSorted()
    assert.deepEqual((await changesSince(store, undefined)).inserted, expected)
    assert.deepEqual((await changesSince(store, 0)).inserted, expected)
    await store.sources.remove('a')
    assert.deepEqual((await changesSince(store, one)).deleted, expected)
  },

  'returns all slots for a revision that the store has not reached': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a')] })
    assert.deepEqual(await changesSince(store, 5), { whole: true, revision: 1, inserted: ['a'], deleted: [] })
  },
}
