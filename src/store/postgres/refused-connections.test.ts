import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { openStore } from '../open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('a server that refuses new connections of an open store is an outage, which ends', async (t) => {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const { hostname, port } = new URL(url)
  const role = await createRole(t)
  const store = await openStore(Object.assign(new URL(url), { username: role }).href)
  t.after(() => store.close())

  await server.command(`alter role ${role} nologin`)
  await server.command(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`)
  // The idle connection may be found to be closed first.
  await assert.rejects(store.revisionFeed.revisions(), StoreUnavailable)
  await assert.rejects(
    store.revisionFeed.revisions(),
    new StoreUnavailable(
      `Cannot reach the database at ${hostname}:${port}: role "${role}" is not permitted to log in (28000)`,
    ),
  )
  await server.command(`alter role ${role} login`)
  assert.equal((await store.revisionFeed.revisions()).slots, 0)
})

async function createRole(t: { after(end: () => Promise<unknown>): void }): Promise<string> {
  const role = `refused_${process.pid}`
  await server.command(`create role ${role} login superuser`)
  t.after(() => server.command(`drop role ${role}`))
  return role
}
