import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { Primary } from './connections.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('a full disk of the database is an outage with the reason of the server, not an internal error', async (t) => {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const primary = new Primary(url)
  t.after(() => primary.end())
  const text = `do $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$`
  await assert.rejects(
    primary.query({ text }),
    new StoreUnavailable('Cannot reach the database: could not extend file (53100)'),
  )
})
