import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { addPerson } from '../../../test/support/store/conformance/people.ts'
import { begin, draftOf, END, keysOf, living } from '../../../test/support/store/conformance/samples.ts'
import { openStore } from '../open-store.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { first } from './0001-first.ts'

test('brings a store of the first version up without losing a key or a slot', async (t) => {
  const path = await firstVersion(t)
  const store = await openStore(`sqlite:${path}`, { now: () => 50 })
  t.after(() => store.close())
  const organization = { id: 'org_1', name: 'Acme', createdAtMs: 1 }
  assert.deepEqual(await store.organizations.list(), [organization])
  assert.deepEqual(await store.keys.list(), [
    {
      id: 'key_1',
      organizationId: 'org_1',
      name: 'web',
      hash: 'h',
      lastFour: 'abcd',
      createdAtMs: 2,
      lastUsedAtMs: 3,
    },
  ])
  const [source] = await store.sources.list()
  assert.deepEqual([source.slug, source.slotCount, source.paused], ['a', 2, false])
  assert.deepEqual(await store.sources.syncHistory(source.id), [])
  assert.deepEqual([...(await living(store)).keys()].sort(), ['s1', 's2'])
  const { slots, keys } = await store.revisionFeed.revisions()
  assert.deepEqual([slots, keys], [1, 1])
})

test('lets a store of the first version do all that a new one does', async (t) => {
  const path = await firstVersion(t)
  const store = await openStore(`sqlite:${path}`, { now: () => 50 })
  t.after(() => store.close())
  const ann = await addPerson(store, 'Ann')
  const beta = await store.organizations.create('Beta', ann)
  await store.keys.revoke('key_1', { atMs: 50, by: ann, reason: 'old' })
  const entries = await store.audit.list({ organizationId: 'org_1', limit: 10 })
  assert.deepEqual(
    entries.map(({ id, kind }) => [id, kind]),
    [[2, 'key.revoked']],
  )
  assert.equal((await store.audit.list({ organizationId: beta.id, limit: 10 }))[0].id, 1)
  const writer = await begin(store, { id: 1 })
  await writer.write({ inserts: [draftOf('s3')], deletes: await keysOf(writer, ['s1']) })
  await writer.commit({ ...END, connectorState: {} })
  assert.deepEqual([...(await living(store)).keys()].sort(), ['s2', 's3'])
  const request = { atMs: 5, method: 'GET', target: '/', status: 200, durationUs: 9, requestId: 'r' }
  const recent = [{ keyId: 'key_1', ...request }]
  await store.usage.add({ requests: [], latencies: [], recent, lastUsed: new Map() })
  assert.deepEqual(await store.usage.recent('org_1', 'key_1'), [request])
})

test('takes no step twice', async (t) => {
  const path = await firstVersion(t)
  for (let opening = 0; opening < 3; opening++) await (await openStore(`sqlite:${path}`)).close()
  const database = await openSqlite(path)
  t.after(() => database.close())
  const steps = await database.read.queries.selectFrom('migrations').select('name').orderBy('name').execute()
  assert.deepEqual(
    steps.map(({ name }) => name),
    [
      '0001-first',
      '0002-accounts',
      '0003-announcements',
      '0004-source-formats',
      '0005-change-log',
      '0006-fresh-sources',
      '0007-source-freshness',
      '0008-alerts',
      '0009-source-actions',
    ],
  )
})

/** A file as the first version left it: with a key, and a source of two slots. */
async function firstVersion(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-migrate-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'slots.db')
  const database = await openSqlite(path)
  await database.transaction('power-cut', async ({ queries }) => {
    await first(queries, database.sqlDialect)
    for (const statement of AS_IT_WAS) await sql.raw(statement).execute(queries)
  })
  await database.close()
  return path
}

/** Its rows, in its own words. It knew none of the counters that came later. */
const AS_IT_WAS = [
  `delete from counters where name in ('audit_ids', 'recent_ids')`,
  `create table migrations (name text primary key not null, applied_at_ms integer not null) strict`,
  `insert into migrations values ('0001-first', 1)`,
  `insert into organizations (id, name, name_folded, created_at_ms) values ('org_1', 'Acme', 'acme', 1)`,
  `insert into api_keys (id, organization_id, name, hash, last_four, created_at_ms, last_used_at_ms, revision)
   values ('key_1', 'org_1', 'web', 'h', 'abcd', 2, 3, 1)`,
  `insert into sources (id, slug, url, strict, created_at_ms, next_sync_at_ms, failures, slot_count, lease_until_ms, sync_id)
   values (1, 'a', 'https://a.example.org/', 0, 1, 0, 0, 2, 0, 1)`,
  `insert into syncs values (1, 1, 1, 5, 0)`,
  `insert into offerings values (1, 1, 'h', '{}')`,
  `insert into slots (key, id, source_id, offering_id, status, start_ms, end_ms, json, part, fingerprint, born_sync)
   values (1, 's1', 1, 1, 0, 1, 2, '{', 0, 1, 1), (2, 's2', 1, 1, 0, 1, 2, '{', 0, 2, 1)`,
  `update counters set value = 1 where name in ('slots', 'keys', 'source_ids', 'sync_ids', 'offering_ids')`,
  `update counters set value = 2 where name = 'slot_keys'`,
]
