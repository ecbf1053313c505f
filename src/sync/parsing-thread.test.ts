import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manifest, ndjson } from '../../test/support/feeds/publisher.ts'
import { LISTED, place, schedule, slot } from '../../test/support/feeds/smart-links-reader.ts'
import { readAll } from '../../test/support/store/temp-store.ts'
import { openSyncedSource } from '../../test/support/sync/synced-source.ts'
import type { SyncRun } from './sync-source.ts'

// Feeds of which so much is new that a thread parses it.

/** Two thousand characters that no slot keeps, so that few slots make many megabytes. */
const COMMENT = 'x'.repeat(2000)

const lines = (from: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => slot(`a${from + n}`, { comment: COMMENT, ...more }))

async function open(t: TestContext) {
  const source = await openSyncedSource(t, {
    '/$bulk-publish': manifest(LISTED),
    '/l': ndjson(place('l1')),
    '/s': ndjson(schedule('s1', 'l1')),
    '/x1': ndjson(...lines(0, 5000)),
    '/x2': ndjson(...lines(5000, 1000), ...lines(10, 2), { resourceType: 'Slot' }),
  })
  return { ...source, sync: async () => numbers((await source.sync()) ?? assert.fail('the source is taken')) }
}

const numbers = ({ outcome }: SyncRun) => [
  outcome.outcome,
  ...[outcome.read, outcome.added, outcome.changed, outcome.removed, outcome.rejected],
]

test('commits all slots of a large feed, keeps its lines, and reads them again with another directory', async (t) => {
  const { publisher, store, sync } = await open(t)
  assert.deepEqual(await sync(), ['partial', 6003, 6000, 0, 0, 3])
  const { id } = (await store.sources.find('clinic')) ?? assert.fail('the source is gone')
  const rejections = await store.sources.rejections(id)
  assert.deepEqual(
    rejections.map(({ file, line }) => `${new URL(file).pathname} ${line}`),
    ['/x2 1001', '/x2 1002', '/x2 1003'],
  )

  publisher.files['/x1'] = ndjson(...lines(0, 4999), slot('a4999', { comment: COMMENT, status: 'busy' }))
  assert.deepEqual(await sync(), ['partial', 6003, 0, 1, 0, 3])

  publisher.files['/l'] = ndjson(place('l1', 'Harbor Clinic'))
  assert.deepEqual(await sync(), ['partial', 6003, 0, 6000, 0, 3])
  const stored = [...(await readAll(store)).values()]
  assert.equal(stored.length, 6000)
  assert.deepEqual(stored.filter(({ status }) => status === 'busy').length, 1)
})

test('counts a large feed that breaks off as failed', async (t) => {
  const { publisher, store, sync } = await open(t)
  publisher.files['/x2'] = (_, response) => {
    response.writeHead(200, { 'content-length': 10_000_000 }).write(ndjson(...lines(5000, 1000)))
    setTimeout(() => response.destroy(), 50)
  }
  assert.equal((await sync())[0], 'failed')
  assert.equal((await readAll(store)).size, 0)
})
