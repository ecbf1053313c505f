import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { mintApiKey } from '../../keys/mint-key.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { openStore } from '../open-store.ts'
import { KeptRead } from './kept-read.ts'

test('reads again only after a commit, or with another key', async () => {
  let [version, reads] = [1, 0]
  const kept = new KeptRead<number>()
  const get = (key?: string) => kept.get({ dataVersion: () => version }, async () => ++reads, key)
  assert.deepEqual([await get(), await get(), await get('b'), await get('b'), await get()], [1, 1, 2, 2, 3])
  version++
  assert.deepEqual([await get(), await get(), kept.version], [4, 4, 2])
})

test('reads again what was committed during a read', async () => {
  let [version, value] = [1, 'old']
  const kept = new KeptRead<string>()
  const reading = kept.get({ dataVersion: () => version }, async () => value)
  version++
  value = 'new'
  assert.equal(await reading, 'old')
  assert.equal(await kept.get({ dataVersion: () => version }, async () => value), 'new')
})

test('reads each time where the database cannot tell', async () => {
  let reads = 0
  const kept = new KeptRead<number>()
  for (let n = 1; n <= 3; n++) assert.equal(await kept.get({}, async () => ++reads), n)
})

test('polled reads see each commit of the same store object and of another', async (t) => {
  const [own, other] = await openTwo(t)
  const { id } = await own.organizations.create('Acme', { name: 'test' })
  let { keys: before } = await own.revisionFeed.revisions()
  for (const store of [own, other, own, other]) {
    await store.keys.put(mintApiKey({ organizationId: id, name: 'key' }, Date.now()).key)
    const { keys } = await own.revisionFeed.revisions()
    assert.ok(keys > before)
    before = keys
  }
  assert.deepEqual(await own.sources.freshness(), [])
  assert.deepEqual(await own.sources.dueSyncs({ slow: false, except: [], limit: 5 }), [])
  await other.sources.add({ slug: 'one', url: 'https://one.example/', everyMs: HOUR_MS, strict: false })
  assert.equal((await own.sources.freshness()).length, 1)
  assert.equal((await own.sources.dueSyncs({ slow: false, except: [], limit: 5 })).length, 1)
  assert.equal((await own.sources.dueSyncs({ slow: false, except: ['one'], limit: 5 })).length, 0)
})

async function openTwo(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'kept-read-'))
  const stores = [await openStore(`sqlite:${folder}/slots.db`), await openStore(`sqlite:${folder}/slots.db`)] as const
  t.after(async () => {
    for (const store of stores) await store.close()
    await rm(folder, { recursive: true })
  })
  return stores
}
