import assert from 'node:assert/strict'
import { LeaseLost, NameTaken } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addSource, begin, changesSince, draftOf, END, keysOf, living, outcomeOf, sync } from './samples.ts'

/** `SourceStore`. */
export const SOURCE_GUARANTEES: Guarantees = {
  'adds a source that is due at once and has no snapshot': async ({ store }) => {
    const url = 'https://a.example.org/$bulk-publish'
    const wanted = {
      slug: 'a',
      name: 'A Clinic',
      format: 'fhir-search',
      url,
      options: { headers: { 'x-key': 'k' }, daysAhead: 30 },
      strict: true,
      everyMs: 300_000,
    } as const
    const added = await store.sources.add(wanted)
    assert.deepEqual(added, {
      ...wanted,
      id: added.id,
      createdAtMs: HARNESS_STARTS_MS,
      connectorState: undefined,
      messages: [],
      nextSyncAtMs: 0,
      failures: 0,
      slotCount: 0,
      paused: false,
      watch: {
        reviewPolicy: 'extreme',
        nextApproved: false,
        anomalies: [],
        approved: [],
        changeGaps: [],
        health: 'never-synced',
        healthSinceMs: HARNESS_STARTS_MS,
      },
    })
    assert.deepEqual(await store.sources.find('a'), added)
    assert.equal(await store.sources.find('b'), undefined)
  },

  'rejects a slug in use and lists by slug': async ({ store }) => {
    await addSource(store, 'b')
    await addSource(store, 'a')
    await assert.rejects(addSource(store, 'b'), NameTaken)
    assert.deepEqual(
      (await store.sources.list()).map((source) => source.slug),
      ['a', 'b'],
    )
  },

  'lists the freshness of each source by slug, without fields that only a sync needs': async ({ store, clock }) => {
    assert.deepEqual(await store.sources.freshness(), [])
    const b = await addSource(store, 'b')
    await store.sources.add({ slug: 'a', name: 'A Clinic', url: 'https://a.example.org/', strict: false })
    const never = { paused: false, health: 'never-synced', nextSyncAtMs: 0 } as const
    assert.deepEqual(await store.sources.freshness(), [
      { slug: 'a', name: 'A Clinic', feedUrl: 'https://a.example.org/', ...never },
      { slug: 'b', feedUrl: 'https://b.example.org/$bulk-publish', ...never },
    ])
    const writer = await begin(store, b)
    await writer.write({ inserts: [draftOf('b1')] })
    await writer.commit({ ...END, publishedAtMs: 5, connectorState: { large: 'x'.repeat(100_000) } })
    const readAtMs = clock.nowMs
    clock.nowMs += 60_000
    await (await begin(store, b)).abandon({
      ...END,
      outcome: outcomeOf({ outcome: 'failed', error: 'no answer' }),
      nextSyncAtMs: clock.nowMs + 1,
    })
    await store.health.record(b.id, { from: 'never-synced', to: 'failing', why: '', atMs: clock.nowMs })
    await store.sources.remove('a')
    await store.sources.setPaused('b', true)
    assert.deepEqual(await store.sources.freshness(), [
      {
        slug: 'b',
        feedUrl: 'https://b.example.org/$bulk-publish',
        paused: true,
        health: 'failing',
        lastCheckedAtMs: readAtMs,
        publishedAtMs: 5,
        changedAtMs: readAtMs,
        nextSyncAtMs: clock.nowMs + 1,
      },
    ])
  },

  'removes a source and all its slots in one commit, and changes no other source': async ({ store }) => {
    const a = await addSource(store, 'a')
    const b = await addSource(store, 'b')
    await sync(store, a, { inserted: [draftOf('a1'), draftOf('a2')] })
    const before = await sync(store, b, { inserted: [draftOf('b1')] })
    assert.equal(await store.sources.remove('a'), true)
    assert.deepEqual([...(await living(store)).keys()], ['b1'])
    const changes = await changesSince(store, before)
    assert.deepEqual(changes, { whole: false, revision: before + 1, inserted: [], deleted: ['a1', 'a2'] })
    assert.equal(await store.sources.find('a'), undefined)
  },

  'returns false if there is no source to remove': async ({ store }) => {
    assert.equal(await store.sources.remove('a'), false)
    assert.equal((await store.revisionFeed.revisions()).slots, 0)
  },

  'ends a running sync of a removed source at its next write, and shows nothing of it': async ({ store }) => {
    const source = await addSource(store)
    const before = await sync(store, source, { inserted: [draftOf('a1'), draftOf('a2')] })
    const writer = await begin(store, source)
    await writer.write({ inserts: [draftOf('a3')], deletes: await keysOf(writer, ['a1']) })
    await store.sources.remove('a')
    await assert.rejects(writer.write({ inserts: [draftOf('a4')] }), LeaseLost)
    await assert.rejects(writer.commit({ ...END, connectorState: {} }), LeaseLost)
    await assert.rejects(writer.abandon(END), LeaseLost)
    assert.deepEqual([...(await living(store)).keys()], [])
    assert.deepEqual((await changesSince(store, before)).deleted, ['a1', 'a2'])
  },

  'accepts the slug and slot ids of a removed source again': async ({ store }) => {
    const old = await addSource(store)
    const before = await sync(store, old, { inserted: [draftOf('a1'), draftOf('a2')] })
    await store.sources.remove('a')
    const renewed = await addSource(store)
    assert.notEqual(renewed.id, old.id)
    await sync(store, renewed, { inserted: [draftOf('a1', { json: '{"id":"a1","new":1' })] })
    assert.deepEqual([...(await living(store))], [['a1', '{"id":"a1","new":1']])
    const changes = await changesSince(store, before)
    assert.deepEqual([changes.inserted, changes.deleted], [['a1'], ['a1', 'a2']])
  },

  'keeps the rejections of the last good sync, in order of file and line': async ({ store }) => {
    const source = await addSource(store)
    const rejection = (file: string, line: number) => ({ file, line, reason: `r${line}`, sample: '{' })
    const rejections = [rejection('b', 2), rejection('a', 10), rejection('b', 1), rejection('a', 9)]
    await (await begin(store, source)).commit({ ...END, rejections, connectorState: {} })
    const stored = await store.sources.rejections(source.id)
    assert.deepEqual(stored, [rejection('a', 9), rejection('a', 10), rejection('b', 1), rejection('b', 2)])
    const failed = outcomeOf({ outcome: 'failed', error: 'no answer' })
    await (await begin(store, source)).abandon({ ...END, rejections: [rejection('c', 1)], outcome: failed })
    assert.deepEqual(await store.sources.rejections(source.id), stored)
    await (await begin(store, source)).commit({ ...END, connectorState: {} })
    assert.deepEqual(await store.sources.rejections(source.id), [])
  },

  'stores more rejections than fit in one statement': async ({ store }) => {
    const source = await addSource(store)
    const rejections = Array.from({ length: 2_500 }, (_, at) => ({
      file: 'f',
      line: at + 1,
      reason: 'r',
      sample: '',
    }))
    await (await begin(store, source)).commit({ ...END, rejections, connectorState: {} })
    assert.deepEqual(await store.sources.rejections(source.id), rejections)
  },
}
