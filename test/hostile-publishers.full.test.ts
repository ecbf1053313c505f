import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPublisher } from '../demo/publisher.ts'
import type { Store } from '../src/store/contracts/store.ts'
import { openStore } from '../src/store/open-store.ts'
import { eventually } from './support/eventually.ts'
import type { Delivery } from './support/feeds/conformance/deliveries.ts'
import { FETCHED_FORMATS, type HostilePublishers, startHostilePublishers } from './support/hostile-publishers.ts'
import { naiveSelect, naiveSlots } from './support/naive-feed.ts'
import { RunningService } from './support/running-service.ts'

/** The deliveries of the hostile publishers of each format. More of them are slow than syncs run at once. */
const HOSTILE: readonly Delivery[] = [
  'cut',
  'cut gzip',
  'silence',
  'drip',
  'drip',
  'length too long',
  'bomb',
  'redirects without end',
  'throttled',
  'refused',
]
let hostile: HostilePublishers
let service: RunningService
let store: Store
let honest: { url: string; close(): Promise<void> }
let key: string
const nowMs = Date.now()

before(async () => {
  hostile = await startHostilePublishers(HOSTILE)
  honest = await startPublisher({ port: 0, slots: 1000, seed: 9, clock: () => nowMs })
  service = await RunningService.prepare()
  service.env.LOG_LEVEL = 'fatal'
  await service.run('org', 'create', 'Good Health')
  key = String((await service.run('key', 'create', '--org', 'Good Health')).key)
  store = await openStore(String(service.env.DATABASE_URL))
  await fillSources()
  await service.serve()
})

after(async () => {
  await store?.close()
  await service?.[Symbol.asyncDispose]()
  await honest?.close()
  await hostile?.close()
})

test('hostile publishers harm neither other sources nor callers', {
  timeout: 180_000,
}, async () => {
  const expected = naiveSelect(await naiveSlots(honest.url, 'sample'), { status: 'free' }).length
  const total = async (slug: string) => (await service.slots(key, `publisher=${slug}`)).body.total
  // The honest sources were added last, so all others are due before them.
  await eventually(async () => (await total('honest-0')) === expected && (await total('honest-1')) === expected)
  const failing = new Set<string>()
  await eventually(async () => {
    for (const { slug, lastSync } of await store.sources.list())
      if (lastSync !== undefined && lastSync.outcome !== 'ok') failing.add(slug)
    assert.equal((await service.slots(key, 'limit=1')).status, 200)
    return HOSTILE.every(
      (delivery, at) => PATIENT.has(delivery) || FETCHED_FORMATS.every((format) => failing.has(`${format}-${at}`)),
    )
  })
  assert.deepEqual(
    [...failing].filter((slug) => slug.startsWith('honest')),
    [],
  )
  for (const slug of failing) assert.equal(await total(slug), 0, slug)
  assert.equal((await fetch(`${service.origin}/readyz`)).status, 200)
})

/** Reads of slow publishers time out after half a minute or more; here they need only not delay others. */
const PATIENT: ReadonlySet<Delivery> = new Set(['silence', 'drip'])

async function fillSources(): Promise<void> {
  for (const source of hostile.sources) await store.sources.add({ ...source, options: {}, strict: false })
  for (const n of [0, 1]) await store.sources.add({ slug: `honest-${n}`, url: honest.url, strict: false })
}
