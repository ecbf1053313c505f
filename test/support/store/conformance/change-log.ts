import assert from 'node:assert/strict'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { Revision } from '../../../../src/slot/revision.ts'
import { type ChangeLogEntry, type ChangeLogReader, positionAfter } from '../../../../src/store/contracts/change-log.ts'
import type { SlotDraft } from '../../../../src/store/contracts/snapshots.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, keysOf, OFFERING, sync } from './samples.ts'

/** `ChangeLog`. */
export const CHANGE_LOG_GUARANTEES: Guarantees = {
  'lists added, changed and removed slots commit by commit': async ({ store }) => {
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: [draftOf('a'), draftOf('b'), draftOf('c')] })
    const two = await change(store, source, { inserted: [draftOf('d')], deleted: ['a'] })
    const three = await change(store, source, {
      inserted: [draftOf('b', { json: '{"b":2' })],
      deleted: ['b'],
    })
    assert.deepEqual(await told(store, one), [
      { revision: two, deleted: 'a' },
      { revision: two, added: 'd' },
      { revision: three, changed: 'b' },
    ])
    assert.deepEqual(await told(store, two), [{ revision: three, changed: 'b' }])
    assert.deepEqual(await told(store, three), [])
  },

  'returns a slot as written, and a deleted slot with its start': async ({ store }) => {
    const source = await addSource(store)
    const startMs = 1_700_000_000_123
    const draft = draftOf('a', { status: 'busy-tentative', offeringId: 7, startMs, endMs: 2 ** 45 })
    const one = await sync(store, source, { inserted: [draft] })
    await withLog(store, async (log) => {
      const { rows } = await log.read({ store: log.store, revision: 0 }, 10)
      const { id, offeringId, status, endMs, json } = draft
      assert.deepEqual(rows[0].slot, { id, offeringId, status, startMs, endMs, json })
    })
    await sync(store, source, { deleted: ['a'] })
    await withLog(store, async (log) => {
      const { rows } = await log.read({ store: log.store, revision: one }, 10)
      assert.deepEqual([rows[0].phase, rows[0].id, rows[0].startMs], ['deleted', 'a', startMs])
    })
  },

  'reports slots that were inserted and deleted since only in the deleting commit': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const two = await change(store, source, {
      inserted: [draftOf('a', { json: '{"a":2' })],
      deleted: ['a', 'b'],
    })
    const three = await change(store, source, {
      inserted: [draftOf('a', { json: '{"a":3' })],
      deleted: ['a'],
    })
    const four = await sync(store, source, { deleted: ['a'] })
    assert.deepEqual(await told(store, 0), [
      { revision: two, deleted: 'b' },
      { revision: four, deleted: 'a' },
    ])
    assert.ok(three < four)
  },

  'returns the same entries for any page size and starting position': async ({ store }) => {
    const source = await addSource(store)
    const other = await addSource(store, 'b')
    const ids = ['a', 'b', 'c', 'd', 'e']
    await sync(store, source, { inserted: ids.map((id) => draftOf(id)) })
    await sync(store, other, { inserted: [draftOf('x'), draftOf('y')] })
    await change(store, source, {
      inserted: [draftOf('b', { json: '{' }), draftOf('f')],
      deleted: ['b', 'c'],
    })
    await store.sources.remove('b')
    await sync(store, source, { deleted: ['a', 'd'] })
    const whole = await rowsAfter(store, { revision: 0 }, 1000)
    assert.equal(whole.length, 15)
    for (const rowsMax of [1, 2, 3, 7]) assert.deepEqual(await rowsAfter(store, { revision: 0 }, rowsMax), whole)
    for (const [at, row] of whole.entries()) {
      assert.deepEqual(await rowsAfter(store, positionAfter(0, row), 2), whole.slice(at + 1))
    }
  },

  'lists thousands of slots of a removed source as removed': async ({ store }) => {
    const source = await addSource(store)
    const ids = Array.from({ length: 3_000 }, (_, at) => `s${at}`)
    const one = await sync(store, source, { inserted: ids.map((id) => draftOf(id)) })
    await store.sources.remove('a')
    const rows = await rowsAfter(store, { revision: one }, 1000)
    assert.deepEqual(rows.map(({ id }) => id).sort(), ids.toSorted())
    assert.ok(rows.every(({ phase, changed }) => phase === 'deleted' && !changed))
    assert.deepEqual(
      (await rowsAfter(store, { revision: 0 }, 1000)).filter(({ slot }) => slot !== undefined),
      [],
    )
  },

  'lists each slot of a removed source once, also while a sync that deleted some is undone': async (harness) => {
    const { store, clock } = harness
    const source = await addSource(store)
    const one = await sync(store, source, { inserted: ['a', 'b', 'c', 'd'].map((id) => draftOf(id)) })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('e')], deletes: await keysOf(writer, ['b', 'd']) })
    await store.sources.remove('a')
    const [a, b, ...rest] = await rowsAfter(store, { revision: one }, 1)
    assert.deepEqual([a.id, b.id, ...rest.map(({ id }) => id)], ['a', 'b', 'c', 'd'])
    await store.revisionFeed.purge(HOUR_MS, clock.nowMs)
    assert.deepEqual(
      (await rowsAfter(store, positionAfter(0, a), 1)).map(({ id }) => id),
      ['b', 'c', 'd'],
    )
  },

  'ignores open syncs and shows the slots that they delete': async ({ store }) => {
    const source = await addSource(store)
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const writer = await begin(store, source)
    const [replaces] = await keysOf(writer, ['a'])
    await writer.write({ inserts: [{ ...draftOf('a', { json: '{"a":2' }), replaces }], deletes: [replaces] })
    assert.deepEqual(await told(store, 0), [
      { revision: 1, added: 'a' },
      { revision: 1, added: 'b' },
    ])
    assert.equal(await writer.commit({ ...END, connectorState: {} }), 2)
    assert.deepEqual(await told(store, 1), [{ revision: 2, changed: 'a' }])
  },

  'reaches the end over any number of commits': async ({ store }) => {
    const source = await addSource(store)
    for (let n = 0; n < 50; n++) await sync(store, source, { inserted: [draftOf(`s${n}`)] })
    assert.equal((await told(store, 0)).length, 50)
  },

  'gives each commit one time, not before that of an earlier one unless that was wrong': async ({ store, clock }) => {
    const source = await addSource(store)
    const startMs = clock.nowMs
    const one = await sync(store, source, { inserted: [draftOf('a')] })
    clock.nowMs += HOUR_MS
    const two = await sync(store, source, { inserted: [draftOf('b')] })
    // Another node's clock is behind.
    clock.nowMs = startMs
    const three = await sync(store, source, { inserted: [draftOf('c')] })
    const timeAt = (revision?: number) => withLog(store, async (log) => log.committedAtMs - startMs, revision)
    assert.deepEqual(await Promise.all([one, two, three].map(timeAt)), [0, HOUR_MS, HOUR_MS])
    assert.equal(await timeAt(), HOUR_MS)
    const changes = await store.revisionFeed.open(one)
    await changes.close()
    assert.equal(changes.committedAtMs - startMs, HOUR_MS)
    // More than an hour back: its clock was wrong before.
    clock.nowMs = startMs - 1
    await store.sources.remove(source.slug)
    assert.equal(await timeAt(), -1)
  },

  'reports the oldest readable and the newest revision': async ({ store, clock }) => {
    const source = await addSource(store)
    const bounds = () => withLog(store, async ({ oldest, newest }) => [oldest, newest])
    assert.deepEqual(await bounds(), [0, 0])
    await sync(store, source, { inserted: [draftOf('a'), draftOf('b')] })
    const two = await sync(store, source, { deleted: ['a'] })
    clock.nowMs += HOUR_MS
    const three = await sync(store, source, { deleted: ['b'] })
    await store.revisionFeed.purge(HOUR_MS, clock.nowMs)
    assert.deepEqual(await bounds(), [two, three])
    assert.deepEqual(await told(store, two), [{ revision: three, deleted: 'b' }])
  },

  'reads one MVCC snapshot while others commit and purge': async ({ store, clock }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    const [offeringId] = await writer.putOfferings([OFFERING])
    await writer.write({ inserts: [draftOf('a', { offeringId }), draftOf('b', { offeringId })] })
    await writer.commit({ ...END, connectorState: {} })
    await withLog(store, async (log) => {
      const first = await log.read({ store: log.store, revision: 0 }, 1)
      await sync(store, source, { deleted: ['b'], inserted: [draftOf('c')] })
      await store.sources.remove('a')
      await store.revisionFeed.purge(0, clock.nowMs)
      const second = await log.read(first.end, 5)
      assert.deepEqual(
        [...first.rows, ...second.rows].map(({ slot }) => slot?.id),
        ['a', 'b'],
      )
      assert.equal((await log.offerings([offeringId])).length, 1)
      assert.deepEqual(second.end, { store: log.store, revision: 1 })
    })
  },

  'reads as of a commit what it read then, whatever is committed later': async ({ store }) => {
    const [source, other] = [await addSource(store), await addSource(store, 'b')]
    const known: { asOf: number; rows: ChangeLogEntry[] }[] = []
    const note = async (asOf: number) => known.push({ asOf, rows: await rowsAfter(store, { revision: 0 }, 2) })
    await note(await sync(store, source, { inserted: ['a', 'b', 'c', 'd'].map((id) => draftOf(id)) }))
    await note(await sync(store, other, { inserted: [draftOf('x'), draftOf('y')] }))
    await note(await change(store, source, { inserted: [draftOf('b', { json: '{"b":2' })], deleted: ['a', 'b'] }))
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('e')], deletes: await keysOf(writer, ['c']) })
    await store.sources.remove('b')
    await note(await withLog(store, async ({ newest }) => newest))
    await note(await writer.commit({ ...END, connectorState: {} }))
    await sync(store, source, { inserted: [draftOf('a')], deleted: ['d'] })
    await store.sources.remove('a')
    assert.deepEqual(
      known.map(({ asOf }) => asOf),
      [1, 2, 3, 4, 5],
    )
    for (const { asOf, rows } of known) {
      for (const rowsMax of [1, 3, 1000])
        assert.deepEqual(await rowsAfter(store, { revision: 0 }, rowsMax, asOf), rows, `as of ${asOf}`)
      await withLog(store, async ({ newest }) => assert.equal(newest, asOf), asOf)
    }
    await withLog(store, async ({ newest }) => assert.equal(newest, 7), 1000)
  },

  'identifies the store as a revision delta does': async ({ store }) => {
    const changes = await store.revisionFeed.open(undefined)
    await changes.close()
    await withLog(store, async (log) => assert.equal(log.store, changes.store))
  },
}

/** Like `sync()`, but an inserted slot replaces the deleted slot of the same id. */
async function change(
  store: Store,
  source: { id: number },
  { inserted, deleted }: { inserted: readonly SlotDraft[]; deleted: readonly string[] },
): Promise<number> {
  const writer = await begin(store, source)
  const held = new Map((await writer.findStored(deleted)).map(({ id, key }) => [id, key]))
  const replacing = inserted.map((draft) => {
    const replaces = held.get(draft.id)
    return replaces === undefined ? draft : { ...draft, replaces }
  })
  await writer.write({ inserts: replacing, deletes: [...held.values()] })
  return writer.commit({ ...END, connectorState: {} })
}

async function withLog<T>(store: Store, use: (log: ChangeLogReader) => Promise<T>, asOf?: number): Promise<T> {
  const log = await store.changeLog.open(asOf)
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}

/** Reads to the end, each page in a separate MVCC snapshot. */
async function rowsAfter(
  store: Store,
  after: Omit<Revision, 'store'>,
  rowsMax: number,
  asOf?: number,
): Promise<ChangeLogEntry[]> {
  const rows: ChangeLogEntry[] = []
  let place = after
  for (let isLast = false; !isLast; ) {
    const read = async (log: ChangeLogReader) => {
      const piece = await log.read({ ...place, store: log.store }, rowsMax)
      assert.ok(piece.rows.length <= rowsMax)
      rows.push(...piece.rows)
      place = piece.end
      isLast = piece.end.revision === log.newest
    }
    await withLog(store, read, asOf)
  }
  return rows
}

/** The changes that a caller would receive. */
async function told(store: Store, revision: number): Promise<Record<string, unknown>[]> {
  const rows = await rowsAfter(store, { revision }, 1000)
  return rows
    .filter(({ phase, changed, slot }) => (phase === 'deleted' ? !changed : slot !== undefined))
    .map(({ revision, phase, changed, id }) => ({
      revision,
      [phase === 'deleted' ? 'deleted' : changed ? 'changed' : 'added']: id,
    }))
}
