import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manifest, ndjson, Publisher } from '../../test/support/feeds/publisher.ts'
import { LISTED, place, schedule, slot } from '../../test/support/feeds/smart-links-reader.ts'
import { openTempStore, readAll } from '../../test/support/store/temp-store.ts'
import { connectorsOf } from '../feeds/connectors.ts'
import { type SyncRun, syncSource } from './sync-source.ts'

// Feeds of which so much is new that a thread parses it.

/** Two thousand characters that no slot keeps, so that few slots make many megabytes. */
const COMMENT = 'x'.repeat(2000)

const lines = (from: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => slot(`a${from + n}`, { comment: COMMENT, ...more }))

async function open(t: TestContext) {
  const publisher = await Publisher.open({
    '/$bulk-publish': manifest(LISTED),
    '/l': ndjson(place('l1')),
    '/s': ndjson(schedule('s1', 'l1')),
    '/x1': ndjson(...lines(0, 5000)),
    '/x2': ndjson(...lines(5000, 1000), ...lines(10, 2), { resourceType: 'Slot' }),
  })
  t.after(() => publisher[Symbol.asyncDispose]())
  const store = await openTempStore(t)
  await store.sources.add({ slug: 'clinic', url: `${publisher.origin}/$bulk-publish`, strict: false })
  const dependencies = {
    store,
    connectorOf: connectorsOf({ allowPrivateSources: true }),
    clock: Date.now,
    random: () => 0.5,
    everyMsDefault: 300_000,
  }
  const sync = async () => numbers((await syncSource(dependencies, 'clinic')) ?? assert.fail('the source is taken'))
  return { publisher, store, sync }
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
