import assert from 'node:assert/strict'
import type { SourceFilter, SourceOrder } from '../../../../src/shared/source-vocabulary.ts'
import type { SourceHealth } from '../../../../src/slot/source-freshness.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addSource, begin, draftOf, END, keysOf, outcomeOf, sync } from './samples.ts'

/** `SourceStore.page()`. */
export const LISTED_SOURCE_GUARANTEES: Guarantees = {
  'lists the worst sources first, then by name, with paused sources last': async ({ store }) => {
    await addSources(store)
    const worstFirst = ['failing', 'suspicious', 'empty', 'late', 'stale', 'rejecting', 'new', 'a', 'b', 'paused']
    assert.deepEqual(await slugs(store, {}), worstFirst)
    for (const limit of [1, 3, 7]) {
      const pages: string[] = []
      for (let offset = 0; offset < worstFirst.length; offset += limit)
        pages.push(...(await slugs(store, { limit, offset })))
      assert.deepEqual(pages, worstFirst)
    }
    assert.deepEqual(await slugs(store, { offset: 10 }), [])
  },

  'filters sources by health and by need for attention, and counts all': async ({ store }) => {
    await addSources(store)
    assert.deepEqual(await slugs(store, { filter: 'attention' }), [
      'failing',
      'suspicious',
      'empty',
      'late',
      'stale',
      'rejecting',
    ])
    assert.deepEqual(await slugs(store, { filter: 'healthy' }), ['empty', 'rejecting', 'a', 'b'])
    assert.deepEqual(await slugs(store, { filter: 'never-synced' }), ['new'])
    const { sources, ...counts } = await store.sources.page({ order: 'health', filter: 'late', limit: 1, offset: 0 })
    assert.deepEqual(counts, {
      total: 1,
      slotCount: 3,
      attention: 6,
      byHealth: { failing: 1, suspicious: 1, late: 1, stale: 1, 'never-synced': 1, healthy: 4, paused: 1 },
    })
    assert.deepEqual(
      sources,
      (await store.sources.overview()).filter(({ slug }) => slug === 'late'),
    )
  },

  'a paused source is listed as paused at once, and a resumed one no longer': async ({ store }) => {
    await addSource(store)
    await healthOf(store, 'a', 'failing')
    await store.sources.setPaused('a', true)
    assert.deepEqual(await slugs(store, { filter: 'paused' }), ['a'])
    assert.deepEqual(await slugs(store, { filter: 'attention' }), [])
    await healthOf(store, 'a', 'paused')
    await store.sources.setPaused('a', false)
    assert.deepEqual(await slugs(store, { filter: 'paused' }), [])
    assert.deepEqual(await slugs(store, { filter: 'healthy' }), ['a'])
  },

  'finds sources by a part of name, slug or URL in any case, after edits too': async ({ store }) => {
    const url = 'https://feeds.example.org/north'
    await store.sources.add({ slug: 'a', name: 'Ärzte 100%', url, strict: false })
    await addSource(store, 'b')
    const find = (search: string) => slugs(store, { search })
    for (const search of ['ÄRZTE', 'ärzte', 'NORTH', '100%']) assert.deepEqual(await find(search), ['a'], search)
    assert.deepEqual(await find('.example.org'), ['b', 'a'])
    assert.deepEqual(await find('1__%'), [])
    await store.sources.edit('a', () => ({ name: null }))
    assert.deepEqual(await find('ärzte'), [])
    await store.sources.edit('a', () => ({ name: 'New', url: 'https://b.example.org/south' }))
    assert.deepEqual(await find('north'), [])
    assert.deepEqual([await find('new'), await find('south')], [['a'], ['a']])
  },

  'sorts sources by each column in both directions, and equal ones by name': async ({ store, clock }) => {
    await store.sources.add({ slug: 'a', name: 'Zebra', url: 'https://a.example.org/', strict: false })
    clock.nowMs += 1
    await addSource(store, 'c')
    clock.nowMs += 1
    await addSource(store, 'b')
    await sync(store, await find(store, 'b'), { inserted: [draftOf('x')] })
    const ordered = (order: SourceOrder) => slugs(store, { order })
    assert.deepEqual(await ordered('name'), ['b', 'c', 'a'])
    assert.deepEqual(await ordered('-name'), ['a', 'c', 'b'])
    for (const key of ['slots', 'checked', 'changed'] as const) {
      assert.deepEqual(await ordered(`-${key}`), ['b', 'c', 'a'], key)
      assert.deepEqual(await ordered(key), ['c', 'a', 'b'], key)
    }
    assert.deepEqual(await ordered('added'), ['a', 'c', 'b'])
    assert.deepEqual(await ordered('-added'), ['b', 'c', 'a'])
    assert.deepEqual(await ordered('published'), ['b', 'c', 'a'])
    await store.sources.setPaused('c', true)
    assert.deepEqual(await ordered('next'), ['a', 'b', 'c'])
    assert.deepEqual(await ordered('-next'), ['c', 'b', 'a'])
    assert.deepEqual(await ordered('-health'), ['c', 'b', 'a'])
  },

  'selects all sources that match, and counts what their removal removes': async ({ store }) => {
    await addSources(store)
    const select = { order: 'name', limit: 50 } as const
    assert.deepEqual(await store.sources.matching({ ...select, filter: 'healthy' }), ['a', 'b', 'empty', 'rejecting'])
    assert.deepEqual(await store.sources.matching({ ...select, limit: 2 }), ['a', 'b'])
    assert.deepEqual(await store.sources.matching({ ...select, slugs: ['late', 'gone', 'b'] }), ['b', 'late'])
    assert.deepEqual(await store.sources.matching({ ...select, slugs: [] }), [])
    assert.deepEqual(await store.sources.totals(['a', 'b', 'empty', 'new', 'gone']), { sources: 4, slots: 2, syncs: 4 })
    assert.deepEqual(await store.sources.totals(['gone']), { sources: 0, slots: 0, syncs: 0 })
  },

  'returns the slugs that are in use': async ({ store }) => {
    await addSource(store, 'a')
    await addSource(store, 'b')
    assert.deepEqual(await store.sources.existing(['a', 'gone']), ['a'])
    assert.deepEqual(await store.sources.existing([]), [])
  },
}

/** A source of every kind, named after it; `a` and `b` are healthy. */
async function addSources(store: Store): Promise<void> {
  for (const slug of ['b', 'a', 'late', 'failing', 'stale', 'suspicious', 'empty', 'rejecting', 'paused', 'new'])
    await addSource(store, slug)
  for (const slug of ['a', 'b', 'empty']) await sync(store, await find(store, slug), { inserted: [draftOf(slug)] })
  const emptied = await begin(store, await find(store, 'empty'))
  await emptied.write({ deletes: await keysOf(emptied, ['empty']) })
  await emptied.commit({ ...END, connectorState: {} })
  const rejecting = await begin(store, await find(store, 'rejecting'))
  await rejecting.write({ inserts: [draftOf('rejecting')] })
  await rejecting.commit({ ...END, connectorState: {}, outcome: outcomeOf({ read: 100, rejected: 2 }) })
  for (const slug of ['a', 'b', 'empty', 'rejecting']) await healthOf(store, slug, 'healthy')
  for (const health of ['late', 'failing', 'stale', 'suspicious'] as const) await healthOf(store, health, health)
  await store.sources.setPaused('paused', true)
}

async function healthOf(store: Store, slug: string, to: SourceHealth): Promise<void> {
  const { id, watch } = await find(store, slug)
  assert.ok(await store.health.record(id, { from: watch.health, to, why: '', atMs: HARNESS_STARTS_MS }))
}

async function find(store: Store, slug: string) {
  const source = await store.sources.find(slug)
  assert.ok(source)
  return source
}

async function slugs(
  store: Store,
  query: { search?: string; filter?: SourceFilter; order?: SourceOrder; limit?: number; offset?: number },
): Promise<string[]> {
  const page = await store.sources.page({ order: 'health', limit: 50, offset: 0, ...query })
  if (query.limit === undefined && query.offset === undefined) assert.equal(page.total, page.sources.length)
  return page.sources.map(({ slug }) => slug)
}
