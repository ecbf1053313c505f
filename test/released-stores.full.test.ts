import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { StoreFacts } from '../deploy/release/keep-store.ts'
import { sqlitePath } from '../src/store/open-store.ts'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

/** A store of each version, made by that version: see `keep-store.ts`. */
const STORES = join(ROOT, 'test/fixtures/stores')

const SUBSCRIPTIONS = '/v1/scheduling/subscriptions'

for (const version of readdirSync(STORES)) {
  test(`upgrades a store of version ${version} and serves what is in it`, async (t) => {
    const folder = join(STORES, version)
    const facts: StoreFacts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))
    const service = await RunningService.prepare()
    t.after(() => service[Symbol.asyncDispose]())
    const path = sqlitePath(String(service.env.DATABASE_URL)) ?? ''
    writeFileSync(path, gunzipSync(readFileSync(join(folder, 'slots.db.gz'))))
    await service.serve()

    const { status, body } = await service.slots(facts.activeKey, 'limit=100')
    assert.equal(status, 200)
    assert.deepEqual(
      body.slots.map(({ id }) => id),
      facts.slots,
    )
    assert.equal((await service.slots(facts.revokedKey, '')).status, 401)
    assert.equal((await service.slots(facts.suspendedKey, '')).status, 403)
    const headers = { authorization: `Bearer ${facts.activeKey}` }
    const shown = await fetch(`${service.origin}${SUBSCRIPTIONS}/${facts.subscription}`, { headers })
    const subscription = (await shown.json()) as Record<string, unknown>
    assert.deepEqual([shown.status, subscription.filters], [200, { state: 'CA' }])

    // It can be used on, and its audit log is whole.
    await service.run('org', 'resume', 'Suspended')
    const { key } = await service.run('key', 'create', '--org', 'Good Health', '--name', 'new')
    await eventually(async () => (await service.slots(String(key), '')).status === 200)
    await service.run('audit', 'verify')
    await service.run('source', 'remove', 'sample', '--yes')
  })
}
