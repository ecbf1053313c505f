import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { openStore } from '../open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('a store is opened and read while somebody else does not give up the turn to write', async (t) => {
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
