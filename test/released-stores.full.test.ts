import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import type { StoreFacts } from '../deploy/release/keep-store.ts'
import { sqlitePath } from '../src/store/open-store.ts'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { eventually } from './support/eventually.ts'
import { RunningService } from './support/running-service.ts'
import { ROOT } from './support/source-files.ts'

/** A store of each version, made by that version: see `keep-store.ts`. */
const STORES = join(ROOT, 'test/fixtures/stores')

const SUBSCRIPTIONS = '/v1/scheduling/subscriptions'

for (const version of readdirSync(STORES)) {
  const kept = (name: string) => gunzipSync(readFileSync(join(STORES, version, `${name}.gz`)))

  test(`upgrades a SQLite store of version ${version} and serves what is in it`, async (t) => {
    const service = await prepare(t)
    writeFileSync(sqlitePath(String(service.env.DATABASE_URL)) ?? '', kept('slots.db'))
    await upgrade(service, version)
  })

  test(`upgrades a PostgreSQL store of version ${version} and serves what is in it`, async (t) => {
    const server = await sharedPostgres()
    t.after(() => server[Symbol.asyncDispose]())
    const service = await prepare(t)
    service.env.DATABASE_URL = await server.createDatabase()
    const client = new pg.Client(service.env.DATABASE_URL)
    await client.connect()
    await client.query(kept('slots.sql').toString())
    await client.end()
    await upgrade(service, version)
  })
}

async function prepare(t: TestContext): Promise<RunningService> {
  const service = await RunningService.prepare()
  t.after(() => service[Symbol.asyncDispose]())
  return service
}

async function upgrade(service: RunningService, version: string): Promise<void> {
  const facts: StoreFacts = JSON.parse(readFileSync(join(STORES, version, 'facts.json'), 'utf8'))
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
}
