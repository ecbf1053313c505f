import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { firstLine, startScript, stopScript } from '../demo/children.ts'
import { startPublisher } from '../demo/publisher.ts'
import { eventually } from './support/eventually.ts'
import { naiveSelect, naiveSlots } from './support/naive-feed.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

const RECORDED = join(ROOT, '../shared')

test('callers get exactly the slots that the publisher offers', async () => {
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 3_000, seed: 5, clock: () => nowMs })
  try {
    await using service = await RunningService.prepare()
    await service.run('org', 'create', 'Good Health')
    const { key } = await service.run('key', 'create', '--org', 'Good Health')
    await service.run('source', 'add', 'sample', publisher.url)
    await service.run('sync', 'sample')
    await service.serve()
    const offered = await naiveSlots(publisher.url, 'sample')
    for (const state of [undefined, 'CA', 'MA', 'WY', 'DC']) {
      for (const isVirtual of [undefined, true, false]) {
        for (const status of ['free', 'busy', 'busy-tentative']) {
          const wanted = { status, ...(state && { state }), ...(isVirtual !== undefined && { isVirtual }) }
          const expected = naiveSelect(offered, wanted)
          const offset = Math.max(0, expected.length - 60)
          const search = new URLSearchParams({
            ...wanted,
            isVirtual: String(isVirtual),
            limit: '100',
            offset: String(offset),
          })
          if (isVirtual === undefined) search.delete('isVirtual')
          const { body } = await service.slots(String(key), String(search))
          assert.equal(body.total, expected.length, String(search))
          assert.deepEqual(
            body.slots.map(({ id }) => id),
            expected.slice(offset).map(({ id }) => id),
          )
        }
      }
    }
  } finally {
    await publisher.close()
  }
})

test('a running service applies a key, a source and a revocation of the command line', async () => {
  const nowMs = Date.now()
  const publisher = await startPublisher({ port: 0, slots: 200, seed: 6, clock: () => nowMs })
  try {
    await using service = await RunningService.prepare()
    await service.serve()
    assert.equal((await service.slots('svc_sk_unknown', '')).status, 401)
    await service.run('org', 'create', 'Good Health')
    const { id, key } = await service.run('key', 'create', '--org', 'Good Health')
    await eventually(async () => (await service.slots(String(key), '')).status === 200)
    await service.run('source', 'add', 'sample', publisher.url)
    const expected = naiveSelect(await naiveSlots(publisher.url, 'sample'), { status: 'free' })
    await eventually(async () => (await service.slots(String(key), '')).body.total === expected.length)
    await service.run('key', 'revoke', String(id), '--reason', 'lost')
    await eventually(async () => (await service.slots(String(key), '')).status === 401)
  } finally {
    await publisher.close()
  }
})

test('reads recorded feeds of real publishers in full', { skip: skipWithoutRecordings() }, async () => {
  await using service = await RunningService.prepare()
  await service.run('org', 'create', 'Good Health')
  const created = await service.run('key', 'create', '--org', 'Good Health')
  const key = String(created.key)
  await syncRecorded(service, 'rite-aid', 'rite-aid-nj-2023-03-24')
  await syncRecorded(service, 'prepmod', 'prepmod-wa-2021-09-01')
  await service.serve()
  const total = async (search: string) => (await service.slots(key, search)).body.total
  const since = 'startAfter=2020-01-01T00:00:00Z'
  assert.equal(await total(`state=NJ&${since}`), 1430)
  assert.equal(await total(`state=NJ&status=busy&${since}`), 112)
  const statuses = ['free', 'busy', 'busy-unavailable', 'busy-tentative']
  const ofPrepmod = await Promise.all(statuses.map((status) => total(`publisher=prepmod&status=${status}&${since}`)))
  assert.equal(
    ofPrepmod.reduce((sum, count) => sum + count),
    49,
  )

  const pages = await Promise.all(
    Array.from({ length: 15 }, (_, page) => service.slots(key, `state=NJ&${since}&limit=100&offset=${page * 100}`)),
  )
  const slots = pages.flatMap(({ body }) => body.slots)
  assert.equal(new Set(slots.map(({ id }) => id)).size, 1430)
  assert.deepEqual(
    slots.filter(({ location }) => !/^0\d{4}(-\d{4})?$/.test(location?.postalCode ?? '')),
    [],
  )
})

function skipWithoutRecordings(): string | false {
  return existsSync(join(RECORDED, 'feeds')) ? false : 'the recorded feeds are not here'
}

async function syncRecorded(service: RunningService, slug: string, folder: string): Promise<void> {
  const script = join(RECORDED, 'tools/serve-feed.mjs')
  const publisher = startScript(script, [join(RECORDED, 'feeds', folder)], service.env)
  try {
    await service.run('source', 'add', slug, await firstLine(publisher))
    await service.run('sync', slug)
  } finally {
    await stopScript(publisher, 5_000)
  }
}
