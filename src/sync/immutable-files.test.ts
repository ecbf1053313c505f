import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkPublisher } from '../../test/support/feeds/bulk-publisher.ts'
import { manifest, type Published, Publisher } from '../../test/support/feeds/publisher.ts'
import { BULK, feed, LISTED } from '../../test/support/feeds/smart-links-reader.ts'
import { openTempStore, syncParts } from '../../test/support/store/temp-store.ts'
import { followChain, START_MS, servedBy, slotAt } from '../../test/support/sync/followed-chain.ts'
import { smartLinks } from '../feeds/smart-links/connector.ts'
import { syncSource } from './sync-source.ts'

/** Publishes the data set again, by another root that lists what has not changed by the same URL. */
function refresh(publisher: BulkPublisher): void {
  const isChain = publisher.isChain
  if (isChain) publisher.close()
  publisher.publishRoot({ isChain })
}

test('requests the changed files of a refreshed root only', async (t) => {
  for (const isChain of [true, false]) {
    const following = await followChain(t, 5, isChain)
    const { publisher } = following
    const files = () => publisher.asked().filter((line) => line.startsWith('/files/')).length
    publisher.resources.set('Slot/a0', slotAt(0, 'busy'))
    refresh(publisher)
    await following.sync(START_MS)
    assert.deepEqual(await servedBy(following), ['busy a0', 'free a1', 'free a2', 'free a3', 'free a4'])
    assert.equal(files(), 1)
    refresh(publisher)
    await following.sync(START_MS)
    assert.equal(files(), 0)
    await following.assertSame()
  }
})

test('reports a wrong count of an immutable file as long as the root says so', async (t) => {
  const immutable = (body: string): Published => {
    return (_, response) => response.writeHead(200, { 'cache-control': 'max-age=31536000, immutable' }).end(body)
  }
  const root = (minute: number) => {
    const output = Object.entries(LISTED).map(([url, type]) => ({ type, url, count: url === '/x1' ? 3 : 1 }))
    return manifest(LISTED, { ...BULK, output, transactionTime: `2026-03-02T00:0${minute}:00Z` })
  }
  const files = Object.entries(feed()).map(([path, body]) => [path, immutable(String(body))] as const)
  const publisher = await Publisher.open({ ...Object.fromEntries(files), '/$bulk-publish': root(0) })
  t.after(() => publisher[Symbol.asyncDispose]())
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })
  const parts = syncParts(store, smartLinks({ allowPrivate: true }))
  for (const minute of [1, 2]) {
    publisher.asked()
    await syncSource(parts, 'clinic')
    const messages = (await store.sources.find('clinic'))?.messages ?? []
    assert.deepEqual(
      messages.map(({ text }) => text.replace(publisher.origin, '')),
      ['/x1 has 2 resources; the manifest says 3'],
    )
    assert.equal(publisher.asked().length, minute === 1 ? 6 : 2)
    publisher.files['/$bulk-publish'] = root(minute)
  }
})

test('requests a file of the root again after an update replaced a resource of it', async (t) => {
  const following = await followChain(t)
  const { publisher } = following
  publisher.update([slotAt(1, 'busy')])
  await following.sync(START_MS)
  assert.deepEqual(await servedBy(following), ['busy a1', 'free a0', 'free a2', 'free a3', 'free a4'])
  publisher.resources.set('Slot/a1', slotAt(1))
  publisher.asked()
  refresh(publisher)
  await following.sync(START_MS)
  assert.equal(publisher.asked().filter((line) => line.startsWith('/files/')).length, 1)
  assert.deepEqual(await servedBy(following), ['free a0', 'free a1', 'free a2', 'free a3', 'free a4'])
})
