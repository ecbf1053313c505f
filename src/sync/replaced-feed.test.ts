import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, ndjson } from '../../test/support/feeds/publisher.ts'
import { feed, LISTED, place, slot } from '../../test/support/feeds/smart-links-reader.ts'
import { openTempStore, servedSlots, syncParts } from '../../test/support/store/temp-store.ts'
import { openSyncedSource } from '../../test/support/sync/synced-source.ts'
import type { Connector } from '../feeds/connector.ts'
import { syncSource } from './sync-source.ts'

test('serves a publisher that replaces its feed faster than it is read, with a warning until it is quiet', async (t) => {
  const { publisher, store, sync } = await openSyncedSource(t, feed())
  let reads = 0
  publisher.files['/x1'] = (request, response) => {
    if (request.headers['if-none-match'] === '"x"') return void response.writeHead(304).end()
    publisher.files['/$bulk-publish'] = manifest(LISTED, { transactionTime: `2026-03-02T00:00:0${++reads}Z` })
    response.writeHead(200, { etag: '"x"' }).end(ndjson(slot('a')))
  }
  const run = await sync()
  assert.deepEqual([run?.outcome.outcome, run?.outcome.error, reads], ['ok', undefined, 3])
  const messages = (await store.sources.find('clinic'))?.messages ?? []
  assert.deepEqual(
    messages.map(({ severity, text }) => [severity, text.startsWith('The feed was changed while it was read')]),
    [['warning', true]],
  )
  assert.equal((await sync())?.outcome.unchanged, true)
  assert.deepEqual((await store.sources.find('clinic'))?.messages, [])
})

test('counts the warning of a replaced feed among the messages of its publisher', async (t) => {
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: 'https://example.com/$bulk-publish', strict: false })
  const messages = Array.from({ length: 20 }, (_, n) => ({ severity: 'warning', text: `Warning ${n}` }) as const)
  const connector: Connector = { read: async () => ({ unchanged: false, state: {}, isMixed: true, messages }) }
  await syncSource(syncParts(store, connector), 'clinic')
  const texts = (await store.sources.find('clinic'))?.messages.map(({ text }) => text) ?? []
  assert.deepEqual([texts.length, texts[0]?.startsWith('The feed was changed')], [20, true])
})

test('reads a publication again that is replaced while it is read', async (t) => {
  const { publisher, store, sync } = await openSyncedSource(t, feed())
  const before = publisher.files['/s'] as string
  publisher.files['/s'] = (_, response) => {
    publisher.files['/$bulk-publish'] = manifest(LISTED, { transactionTime: '2026-03-02T00:00:00Z' })
    publisher.files['/l'] = ndjson(place('l1', 'Clinic East'))
    publisher.files['/x1'] = ndjson(slot('a'))
    publisher.files['/s'] = before
    response.end(before)
  }
  assert.equal((await sync())?.outcome.added, 2)
  const names = (await servedSlots(store)).map((json) => JSON.parse(json).location.name)
  assert.deepEqual(names, ['Clinic East', 'Clinic East'])
})
