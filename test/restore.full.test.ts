import assert from 'node:assert/strict'
import { copyFile, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { connectorsOf } from '../src/feeds/connectors.ts'
import { openStore } from '../src/store/open-store.ts'
import { syncSource } from '../src/sync/sync-source.ts'
import { manifest, ndjson, Publisher } from './support/feeds/publisher.ts'
import { RunningService } from './support/running-service.ts'

const PAGE = '/v1/scheduling/slots'
const CHANGES = '/v1/scheduling/changes'

/** The ways to restore a backup in docs/backup.md. */
const WAYS: Record<string, (copy: string, path: string, service: RunningService) => Promise<unknown>> = {
  'in a new file': async (copy, path) => {
    for (const neighbour of ['', '-wal', '-shm']) await rm(path + neighbour, { force: true })
    await copyFile(copy, path)
  },
  'by its name': (copy, path) => rename(copy, path),
  'by the command': (copy, _path, service) => service.run('restore', copy, '--replace'),
  'over the file that is there': async (copy, path, service) => {
    await copyFile(copy, path)
    await service.run('store', 'renew')
  },
}

for (const [way, bringBack] of Object.entries(WAYS))
  test(`revisions from before a backup was restored ${way} never match later ones`, async () => {
    await using service = await RunningService.prepare()
    await using publisher = await Publisher.open({})
    const path = String(service.env.DATABASE_URL).replace('sqlite:', '')
    const feed = new Feed(publisher, String(service.env.DATABASE_URL))
    await service.run('org', 'create', 'Good Health')
    const { key } = await service.run('key', 'create', '--org', 'Good Health')
    const ask = (target: string, headers = {}) =>
      fetch(service.origin + target, { headers: { 'x-api-key': String(key), ...headers } })
    await service.run('source', 'add', 'clinic', `${publisher.origin}/$bulk-publish`)
    await feed.publish(3, 1)
    await backUp(path, `${path}.copy`)
    await feed.publish(3, 2)
    await feed.publish(3, 3)

    await service.serve()
    const page = await ask(PAGE)
    const held = { 'if-none-match': String(page.headers.get('etag')) }
    assert.equal((await ask(PAGE, held)).status, 304)
    const exported = await ask(PAGE, { accept: 'application/x-ndjson' })
    const since = String(exported.headers.get('slots-revision'))
    assert.equal((await ask(`${CHANGES}?since=${since}`)).status, 200)
    const { output } = JSON.parse(await (await ask('/v1/fhir/$bulk-publish')).text())
    const files: string[] = output.map(({ url }: { url: string }) => new URL(url).pathname)
    await assert.rejects(service.run('store', 'renew'), /Cannot renew: the store must not be in use/)
    await service.stop()
    await bringBack(`${path}.copy`, path, service)
    await feed.publish(3, 4)
    await feed.publish(3, 5)

    await service.serve()
    const total = (await page.json()).total
    const now = await ask(PAGE, held)
    assert.equal(now.status, 200)
    assert.equal((await now.json()).total, total)
    assert.equal((await ask(`${CHANGES}?since=${since}`)).status, 410)
    const [store, revision] = since.split('.')
    assert.equal((await ask(`${CHANGES}?since=${store}.${Number.parseInt(revision, 36) - 1}`)).status, 410)
    for (const file of files) {
      const { status } = await fetch(service.origin + file, {
        headers: { 'x-api-key': String(key) },
        redirect: 'manual',
      })
      assert.notEqual(status, 200, file)
    }
    const anew = await ask(PAGE, { accept: 'application/x-ndjson' })
    const from = String(anew.headers.get('slots-revision'))
    await service.stop()
    await service.serve()
    assert.equal((await ask(`${CHANGES}?since=${from}`)).status, 200, 'a restart alone ends nothing')
  })

/** A publisher, and the store of its source. */
class Feed {
  readonly #publisher: Publisher
  readonly #databaseUrl: string

  constructor(publisher: Publisher, databaseUrl: string) {
    this.#publisher = publisher
    this.#databaseUrl = databaseUrl
  }

  /** Replaces all slots by `count` slots, which differ between generations. */
  async publish(slots: number, generation: number): Promise<void> {
    const { files, origin: _origin } = this.#publisher
    files['/$bulk-publish'] = manifest({
      '/locations': 'Location',
      '/schedules': 'Schedule',
      '/slots': 'Slot',
    })
    files['/locations'] = ndjson({ resourceType: 'Location', id: '1', address: { state: 'MA' } })
    files['/schedules'] = ndjson({ resourceType: 'Schedule', id: '1', actor: [{ reference: 'Location/1' }] })
    files['/slots'] = ndjson(...Array.from({ length: slots }, (_, n) => slotOf(`${generation}-${n}`)))
    const store = await openStore(this.#databaseUrl)
    try {
      await store.sources.setReviewPolicy('clinic', 'nothing')
      const connectorOf = connectorsOf({ allowPrivateSources: true })
      const parts = { store, connectorOf, clock: Date.now, random: Math.random, everyMsDefault: 3_600_000 }
      assert.equal((await syncSource(parts, 'clinic'))?.outcome.outcome, 'ok')
    } finally {
      await store.close()
    }
  }
}

const START_MS = Date.now() + 86_400_000

function slotOf(id: string): object {
  const start = new Date(START_MS).toISOString()
  const end = new Date(START_MS + 900_000).toISOString()
  return { resourceType: 'Slot', id, schedule: { reference: 'Schedule/1' }, status: 'free', start, end }
}

async function backUp(path: string, copy: string): Promise<void> {
  const database = new DatabaseSync(path)
  await backup(database, copy)
  database.close()
}
