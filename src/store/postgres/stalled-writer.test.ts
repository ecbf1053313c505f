import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { openStore } from '../open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('opens and reads a store while another session holds the write lock', async (t) => {
  const url = await server.createDatabase()
  await (await openStore(url)).close()
  const stalled = new pg.Client(url)
  await stalled.connect()
  t.after(() => stalled.end())
  await stalled.query('begin; select from write_lock where id = 1 for update')

  const store = await openStore(url)
  t.after(() => store.close())
  assert.equal((await store.revisionFeed.revisions()).slots, 0)
  assert.deepEqual(await store.keys.changedSince(0), { keys: [], revision: 0 })
  await (await store.revisionFeed.open(undefined)).close()
  await stalled.query('rollback')
})

test('timeouts of the server for statements and idle transactions end no load and no wait for the write lock', async (t) => {
  const url = await server.createDatabase()
  const database = new URL(url).pathname.slice(1)
  for (const timeout of ['statement_timeout', 'idle_in_transaction_session_timeout'])
    await server.command(`alter database ${database} set ${timeout} = '300ms'`)
  const store = await openStore(url)
  const loading = await store.revisionFeed.open(undefined)
  t.after(async () => {
    await loading.close()
    await store.close()
  })
  const stalled = new pg.Client(url)
  await stalled.connect()
  t.after(() => stalled.end())
  await stalled.query(`begin; set local idle_in_transaction_session_timeout = 0;
    select from write_lock where id = 1 for update`)
  const created = store.organizations.create('Acme')
  await Promise.race([created, sleep(600)])
  await stalled.query('rollback')
  await created
  assert.deepEqual(await loading.horizons(), [])
})
