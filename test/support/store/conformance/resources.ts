import assert from 'node:assert/strict'
import { INDEXED_PART } from '../../../../src/slot/ids.ts'
import type { ResourceWriter, StoredResource } from '../../../../src/store/contracts/resources.ts'
import { openDatabase } from '../../../../src/store/open-store.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { addSource, begin, draftOf, END, living } from './samples.ts'

const resource = (type: string, id: string, more: Partial<StoredResource> = {}): StoredResource => ({
  type,
  id,
  file: 'https://a.example.org/1.ndjson',
  line: 1,
  json: JSON.stringify({ resourceType: type, id }),
  ...(type === 'Slot' && { schedule: 's1' }),
  ...more,
})
const COMMIT = { ...END, connectorState: {} }

/** `ResourceWriter`: the resources that a snapshot was made of. */
export const RESOURCE_GUARANTEES: Guarantees = {
  'keeps the resources of a snapshot from its commit on': async ({ store }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    assert.equal(writer.resources.areStored, false)
    await writer.resources.startOver()
    const puts = [resource('Slot', 'b'), resource('Slot', 'a'), resource('Schedule', 's1'), resource('Location', 'l')]
    await writer.resources.write({ puts, removes: [] })
    await writer.resources.write({
      puts: [resource('Slot', 'b', { json: '{"later":"\\u0000 \\\\ \\t ü"}', schedule: 's2' })],
      removes: [
        { type: 'Location', id: 'l' },
        { type: 'Slot', id: 'unknown' },
      ],
    })
    assert.deepEqual(await idsIn(writer.resources.readNew('Slot')), ['b', 'a'])
    await writer.commit({ ...COMMIT, resources: 'new' })
    const next = await begin(store, source)
    assert.equal(next.resources.areStored, true)
    assert.deepEqual(await idsIn(next.resources.readType('Slot')), ['a', 'b'])
    assert.deepEqual(await idsIn(next.resources.readType('Location')), [])
    assert.deepEqual(await idsIn(next.resources.readSlotsOf('s1')), ['a'])
    const found = await next.resources.find([
      { type: 'Slot', id: 'b' },
      { type: 'Schedule', id: 's1' },
      { type: 'Slot', id: 's1' },
    ])
    assert.deepEqual(
      found.sort((one, other) => (one.id < other.id ? -1 : 1)),
      [resource('Slot', 'b', { json: '{"later":"\\u0000 \\\\ \\t ü"}', schedule: 's2' }), resource('Schedule', 's1')],
    )
  },

  'changes the stored resources with the commit of an update': async ({ store }) => {
    const source = await addSource(store)
    await commitSet(store, source, [resource('Slot', 'a'), resource('Slot', 'b')])
    const abandoned = await begin(store, source)
    await abandoned.abandon(END)
    const writer = await begin(store, source)
    const puts = [resource('Slot', 'a', { line: 7 }), resource('Slot', 'c')]
    await writer.commit({ ...COMMIT, resources: { puts, removes: [{ type: 'Slot', id: 'b' }] } })
    const next = await begin(store, source)
    assert.deepEqual(await idsIn(next.resources.readType('Slot')), ['a', 'c'])
    assert.equal((await next.resources.find([{ type: 'Slot', id: 'a' }]))[0]?.line, 7)
    await next.commit(COMMIT)
    assert.equal((await begin(store, source)).resources.areStored, false)
  },

  'reads thousands of resources in batches': async ({ store }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    await writer.resources.startOver()
    const ids = Array.from({ length: 9001 }, (_, at) => String(at).padStart(5, '0'))
    for (let at = 0; at < ids.length; at += 3000)
      await writer.resources.write({ puts: ids.slice(at, at + 3000).map((id) => resource('Slot', id)), removes: [] })
    const { resources } = writer
    for (const read of [resources.readNew('Slot'), resources.readType('Slot'), resources.readSlotsOf('s1')])
      assert.deepEqual(await idsIn(read), ids)
  },

  'reads a file of the stored set by its place, beside a new set': async ({ store }) => {
    const source = await addSource(store)
    const writer = await begin(store, source)
    await writer.resources.startOver()
    const [one, other] = ['https://a.example.org/one', 'https://a.example.org/other']
    const ids = Array.from({ length: 5000 }, (_, at) => String(at).padStart(5, '0'))
    const firstKey = await writer.resources.write({
      puts: ids.map((id, at) => resource('Slot', id, { file: at % 2 === 0 ? one : other })),
      removes: [],
    })
    await writer.resources.write({ puts: [resource('Slot', '00002')], removes: [{ type: 'Slot', id: '00004' }] })
    await writer.commit({ ...COMMIT, resources: 'new' })
    const { resources } = await begin(store, source)
    await resources.startOver()
    await resources.write({ puts: [resource('Slot', 'new', { file: one })], removes: [] })
    const place = { firstKey, lastKey: firstKey + 4999 }
    const inFile = (file: string) => ids.filter((id, at) => at % 2 === (file === one ? 0 : 1) && !/^0000[24]$/.test(id))
    for (const file of [one, other]) assert.deepEqual(await idsIn(resources.readFile({ file, ...place })), inFile(file))
    assert.deepEqual(await idsIn(resources.readFile({ file: one, firstKey, lastKey: firstKey })), ['00000'])
  },

  'purges resources that no snapshot has': async ({ store, url, clock }) => {
    const [source, removed] = [await addSource(store), await addSource(store, 'b')]
    await commitSet(store, source, [resource('Slot', 'a')])
    await commitSet(store, removed, [resource('Slot', 'a')])
    await store.sources.remove('b')
    await commitSet(store, source, [resource('Slot', 'b')])
    const failed = await begin(store, source)
    await failed.resources.startOver()
    await failed.resources.write({ puts: [resource('Slot', 'c')], removes: [] })
    await failed.resources.startOver()
    await failed.resources.write({ puts: [resource('Slot', 'd')], removes: [] })
    assert.deepEqual(await idsIn(failed.resources.readNew('Slot')), ['d'])
    await store.revisionFeed.purge(0, clock.nowMs)
    assert.deepEqual(await storedIds(url), ['b', 'c', 'd'])
    await failed.abandon(END)
    await store.revisionFeed.purge(0, clock.nowMs)
    assert.deepEqual(await storedIds(url), ['b'])
  },

  'finds slots by id without reading the snapshot, also after a move': async ({ store, clock }) => {
    const source = await addSource(store)
    const other = await addSource(store, 'b')
    const first = await begin(store, source)
    await first.write({ inserts: [draftOf('a', { part: INDEXED_PART }), draftOf('b'), draftOf('c', { part: 3 })] })
    await first.commit(COMMIT)
    const foreign = await begin(store, other)
    await foreign.write({ inserts: [draftOf('a', { part: INDEXED_PART })] })
    await foreign.commit(COMMIT)
    const second = await begin(store, source)
    const [key] = (await second.findStored(['b'])).map((slot) => slot.key)
    await second.write({ moves: [{ key: Number(key), part: INDEXED_PART, fingerprint: 5 }] })
    await second.commit(COMMIT)
    const third = await begin(store, source)
    const found = await third.findIndexed(['a', 'b', 'c', 'd'])
    assert.deepEqual(found.map(({ id }) => id).sort(), ['a', 'b'])
    await third.write({ deletes: found.map((slot) => slot.key), inserts: [draftOf('e', { part: INDEXED_PART })] })
    assert.deepEqual(
      (await third.findIndexed(['a', 'b', 'e'])).map(({ id, drafted }) => [id, drafted]),
      [['e', true]],
    )
    await third.commit(COMMIT)
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'c', 'e'])
    assert.equal(clock.nowMs, HARNESS_STARTS_MS)
  },

  'begins again after a discard': async ({ store }) => {
    const source = await addSource(store)
    const first = await begin(store, source)
    await first.write({ inserts: [draftOf('a'), draftOf('b')] })
    await first.commit(COMMIT)
    const writer = await begin(store, source)
    const keys = (await writer.findStored(['a', 'b'])).map((slot) => slot.key)
    await writer.write({ inserts: [draftOf('c'), draftOf('d')], deletes: keys })
    await writer.discard()
    assert.equal((await writer.readStored()).keys.length, 2)
    assert.deepEqual((await writer.findStored(['a', 'b', 'c'])).map(({ id }) => id).sort(), ['a', 'b'])
    await writer.write({ inserts: [draftOf('e')] })
    await writer.commit(COMMIT)
    assert.deepEqual([...(await living(store)).keys()].sort(), ['a', 'b', 'e'])
    assert.equal((await store.sources.find('a'))?.slotCount, 3)
  },
}

async function commitSet(
  store: StoreHarness['store'],
  source: { id: number },
  puts: readonly StoredResource[],
): Promise<void> {
  const writer = await begin(store, source)
  await writer.resources.startOver()
  await writer.resources.write({ puts, removes: [] })
  await writer.commit({ ...COMMIT, resources: 'new' })
}

async function idsIn(batches: ReturnType<ResourceWriter['readType']>): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of batches) ids.push(...batch.map(({ id }) => id))
  return ids
}

async function storedIds(url: string): Promise<string[]> {
  const database = await openDatabase(url)
  try {
    const rows = await database.read.queries.selectFrom('resources').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  } finally {
    await database.close()
  }
}
