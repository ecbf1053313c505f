import assert from 'node:assert/strict'
import type { SourceState } from '../../../../src/store/contracts/sources.ts'
import { LeaseLost, type Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addSource, begin, draftOf, END, LEASE, living, outcomeOf, sync } from './samples.ts'

const ANOTHER_URL = 'https://b.example.org/$bulk-publish'

/** A source with one slot that was synced once, is not due soon, and has connector state. */
async function readSource(store: Store): Promise<SourceState> {
  const source = await addSource(store)
  const writer = await begin(store, source)
  await writer.write({ inserts: [draftOf('a1')] })
  await writer.commit({ ...END, nextSyncAtMs: 9e15, publishedAtMs: 5, connectorState: { etag: '"1"' } })
  return (await store.sources.find('a')) ?? source
}

/** `SourceStore`: edits. */
export const SOURCE_EDIT_GUARANTEES: Guarantees = {
  'changes the named fields of a source, clears optional ones, and nothing else': async ({ store }) => {
    const before = await readSource(store)
    const name = await store.sources.edit('a', () => ({ name: 'A Clinic' }))
    assert.deepEqual(name, { ...before, name: 'A Clinic' })
    const all = { url: ANOTHER_URL, options: { query: { a: '1' } }, strict: true, everyMs: 300_000, slotsMax: 9 }
    const edited = await store.sources.edit('a', () => all)
    assert.ok(edited)
    const { nextSyncAtMs, connectorState: memory, ...rest } = edited
    const { nextSyncAtMs: _, connectorState: __, ...was } = before
    assert.deepEqual(rest, { ...was, name: 'A Clinic', ...all })
    const ended = await store.sources.edit('a', () => ({ name: null, everyMs: null, slotsMax: null, options: {} }))
    assert.deepEqual([ended?.name, ended?.everyMs, ended?.slotsMax], [undefined, undefined, undefined])
    assert.deepEqual(ended?.options, {})
    assert.deepEqual(await store.sources.find('a'), ended)
    assert.equal(await store.sources.edit('b', () => ({ strict: true })), undefined)
  },

  'keeps the snapshot of an edited source, makes it due now, and drops its connector state': async ({
    store,
    clock,
  }) => {
    for (const edit of [{ url: ANOTHER_URL }, { options: { query: { a: '1' } } }, { strict: true }]) {
      await store.sources.remove('a')
      const before = await readSource(store)
      const edited = await store.sources.edit('a', () => edit)
      assert.deepEqual([edited?.connectorState, edited?.nextSyncAtMs], [undefined, clock.nowMs])
      assert.deepEqual([edited?.slotCount, edited?.publishedAtMs], [before.slotCount, 5])
      assert.deepEqual([...(await living(store)).keys()], ['a1'])
    }
  },

  'makes a source due now when its interval or limit changes, and keeps its connector state': async ({
    store,
    clock,
  }) => {
    for (const edit of [{ everyMs: 60_000 }, { slotsMax: 1 }]) {
      await store.sources.remove('a')
      await readSource(store)
      const edited = await store.sources.edit('a', () => edit)
      assert.deepEqual([edited?.connectorState, edited?.nextSyncAtMs], [{ etag: '"1"' }, clock.nowMs])
    }
  },

  'does not change a source if an edit changes no value': async ({ store }) => {
    const before = await readSource(store)
    const same = { url: before.url, options: {}, strict: false, name: null, everyMs: null }
    assert.deepEqual(await store.sources.edit('a', () => same), before)
    assert.deepEqual(await store.sources.find('a'), before)
  },

  'ends a running sync of an edited source, which restores neither slots nor connector state': async ({ store }) => {
    for (const edit of [{ url: ANOTHER_URL }, { everyMs: 60_000 }]) {
      await store.sources.remove('a')
      const source = await readSource(store)
      const running = await begin(store, source)
      await running.write({ inserts: [draftOf('a2')] })
      const edited = await store.sources.edit('a', () => edit)
      await assert.rejects(running.write({ inserts: [draftOf('a3')] }), LeaseLost)
      await assert.rejects(running.commit({ ...END, connectorState: { etag: '"old"' } }), LeaseLost)
      await assert.rejects(running.abandon(END), LeaseLost)
      const { readUntilMs, ...watch } = edited?.watch ?? assert.fail()
      assert.deepEqual(await store.sources.find('a'), { ...edited, watch })
      assert.equal(readUntilMs, undefined)
      const next = await begin(store, source, { ...LEASE, owner: 'two' })
      assert.deepEqual(next.source.connectorState, edited?.connectorState)
      await next.commit({ ...END, connectorState: {} })
      assert.deepEqual([...(await living(store)).keys()], ['a1'])
    }
  },

  'lets a running sync continue when only the name changes': async ({ store }) => {
    const running = await begin(store, await readSource(store))
    await store.sources.edit('a', () => ({ name: 'A Clinic' }))
    await running.commit({ ...END, connectorState: { etag: '"2"' } })
    const source = await store.sources.find('a')
    assert.deepEqual([source?.name, source?.connectorState], ['A Clinic', { etag: '"2"' }])
  },

  'drops the held snapshot and its approval when the URL changes': async ({ store }) => {
    const source = await readSource(store)
    const findings = [{ kind: 'emptied', atMs: 5, before: 40, after: 0 }] as const
    const outcome = outcomeOf({ outcome: 'held' })
    await (await begin(store, source)).abandon({
      ...END,
      outcome,
      held: { anomalies: findings, slotCount: 0 },
    })
    await store.sources.approve('a', true)
    const renamed = await store.sources.edit('a', () => ({ name: 'A Clinic' }))
    assert.deepEqual([renamed?.watch.nextApproved, renamed?.watch.held?.before], [true, 1])
    const moved = await store.sources.edit('a', () => ({ url: ANOTHER_URL }))
    assert.deepEqual([moved?.watch.nextApproved, moved?.watch.held], [false, undefined])
  },

  'edits the current values, and nothing if the edit is rejected': async ({ store, open }) => {
    await addSource(store)
    const other = await open()
    const add = (from: Store, name: string) =>
      from.sources.edit('a', ({ options }) => ({
        options: { ...options, query: { ...options.query, [name]: '1' } },
      }))
    await Promise.all([add(store, 'one'), add(other, 'two'), add(store, 'three')])
    const before = await store.sources.find('a')
    assert.deepEqual(Object.keys(before?.options.query ?? {}).sort(), ['one', 'three', 'two'])
    await assert.rejects(
      store.sources.edit('a', () => {
        throw new Error('refused')
      }),
      /refused/,
    )
    assert.deepEqual(await store.sources.find('a'), before)
  },

  'never makes a source of uploaded files due, also when it is edited': async ({ store }) => {
    await store.sources.add({ slug: 'a', format: 'files', url: '', strict: false })
    const running = await begin(store, (await store.sources.find('a')) ?? assert.fail())
    await running.write({ inserts: [draftOf('a1')] })
    const edited = await store.sources.edit('a', () => ({ strict: true }))
    assert.deepEqual([edited?.strict, edited?.nextSyncAtMs], [true, 0])
    await running.commit({ ...END, connectorState: {} })
    assert.equal((await sync(store, { id: edited?.id ?? 0 }, {})) > 0, true)
  },
}
