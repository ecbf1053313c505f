import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { Primary } from './connections.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('a full disk of the database is an outage with the reason of the server, not an internal error', async (t) => {
  const text = `do $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$`
  const primary = await openPrimary(t)
  await assert.rejects(
    primary.query({ text }),
    new StoreUnavailable('Cannot reach the database: could not extend file (53100)'),
  )
})

test('a statement that the server ends after its timeout is an outage', async (t) => {
  const primary = await openPrimary(t, { statement_timeout: '100ms' })
  await assert.rejects(
    primary.query({ text: 'select pg_sleep(60)' }),
    new StoreUnavailable('Cannot reach the database: canceling statement due to statement timeout (57014)'),
  )
})

async function openPrimary(t: TestContext, settings: Readonly<Record<string, string>> = {}): Promise<Primary> {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const database = new URL(url).pathname.slice(1)
  for (const [name, value] of Object.entries(settings))
    await server.command(`alter database ${database} set ${name} = '${value}'`)
  const primary = new Primary(url)
  t.after(() => primary.end())
  return primary
}
