import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { manifest, ndjson } from '../../test/support/feeds/publisher.ts'
import { readAll } from '../../test/support/store/temp-store.ts'
import { openSyncedSource } from '../../test/support/sync/synced-source.ts'
import type { Json } from '../lib/json.ts'

const START_MS = Date.UTC(2030, 0, 7, 8)
const HTEST = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }

const schedule = (id: string, more: Json = {}) => ({
  resourceType: 'Schedule',
  id,
  actor: [{ reference: 'Location/l' }],
  ...more,
})

const slot = (n: number, schedule: string, more: Json = {}) => ({
  resourceType: 'Slot',
  id: `slot-${n}`,
  schedule: { reference: `Schedule/${schedule}` },
  status: 'free',
  start: new Date(START_MS + n * 900_000).toISOString(),
  end: new Date(START_MS + (n + 1) * 900_000).toISOString(),
  ...more,
})

/** Two files: one with a test slot and the slots of a test Schedule, one without test data. */
async function open(t: TestContext) {
  const source = await openSyncedSource(t, {
    '/$bulk-publish': manifest({ '/l': 'Location', '/s': 'Schedule', '/mixed': 'Slot', '/plain': 'Slot' }),
    '/l': ndjson({ resourceType: 'Location', id: 'l', name: 'Clinic' }),
    '/s': ndjson(schedule('s'), schedule('trial', { meta: { security: [HTEST] } })),
    '/mixed': ndjson(slot(0, 's', { meta: { tag: [HTEST] } }), slot(1, 'trial'), slot(2, 'trial'), slot(3, 's')),
    '/plain': ndjson(slot(4, 's')),
  })
  return { ...source, lastRead: async () => (await source.store.sources.find('clinic'))?.watch.lastRead }
}

test('withholds slots that are labeled as test data, or whose Schedule is, and counts them', async (t) => {
  const { store, sync, lastRead } = await open(t)
  const run = await sync()
  assert.equal(run?.outcome.outcome, 'ok')
  assert.deepEqual([run?.outcome.added, run?.outcome.withheld, run?.outcome.testSlots], [2, 3, 3])
  assert.equal((await readAll(store)).size, 2)
  assert.equal((await lastRead())?.testSlots, 3)
})

test('counts test data as long as it stands, whether nothing or another file changed', async (t) => {
  const { publisher, sync, lastRead } = await open(t)
  await sync()
  assert.equal((await sync())?.outcome.unchanged, true)
  assert.equal((await lastRead())?.testSlots, 3)
  publisher.files['/plain'] = ndjson(slot(5, 's'))
  assert.equal((await sync())?.outcome.unchanged, false)
  assert.equal((await lastRead())?.testSlots, 3)
  publisher.files['/mixed'] = ndjson(slot(3, 's'))
  await sync()
  assert.equal((await lastRead())?.testSlots, undefined)
})

test('serves test data of a source with the option serveTestData, and withholds it again without', async (t) => {
  const { store, sync, lastRead } = await open(t)
  await sync()
  await store.sources.edit('clinic', () => ({ options: { serveTestData: true } }))
  await sync()
  assert.equal((await readAll(store)).size, 5)
  assert.equal((await lastRead())?.testSlots, undefined)
  await store.sources.edit('clinic', () => ({ options: {} }))
  await sync()
  assert.equal((await readAll(store)).size, 2)
  assert.equal((await lastRead())?.testSlots, 3)
})
