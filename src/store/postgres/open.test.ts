import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { openStore } from '../open-store.ts'
import { renewStore } from '../sql/renew-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

for (const [code, kind] of Object.entries({
  '55000': 'a cloud with shared storage',
  '0A000': 'a cluster without WAL streaming',
})) {
  test(`opens a store whose server refuses its timeline, as does ${kind}`, async (t) => {
    const url = await server.createDatabase()
    t.after(() => server.dropDatabase(url))
    await refuseTimelines(url, code)
    const store = await openStore(url)
    t.after(() => store.close())
    assert.equal((await store.revisionFeed.revisions()).epoch, 0)
  })
}

test('names the host that cannot be reached, the last of several', async () => {
  const [first, second] = [await freePort(), await freePort()]
  for (const [hosts, last] of [
    [`localhost:${first}`, `localhost:${first}`],
    [`127.0.0.1:${first},127.0.0.1:${second}`, `127.0.0.1:${second}`],
  ])
    await assert.rejects(
      openStore(`postgres://tester:secret@${hosts}/slots`),
      new StoreUnavailable(`Cannot reach the database at ${last}: ECONNREFUSED`),
    )
})

test('reports a missing Unix socket as unavailable, but not a missing certificate', async (t) => {
  const folder = tempFolder(t)
  await assert.rejects(
    openStore(`postgres:///slots?host=${folder}`),
    new StoreUnavailable(`Cannot reach the database at ${folder}: ENOENT`),
  )
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const withCertificate = `${url}${url.includes('?') ? '&' : '?'}sslmode=verify-full&sslrootcert=${join(folder, 'none.pem')}`
  await assert.rejects(openStore(withCertificate), (error) => !(error instanceof StoreUnavailable))
})

test('creates no store in a database of another encoding than UTF-8', async (t) => {
  await server.command(`create database ascii_only encoding 'SQL_ASCII' locale 'C' template template0`)
  t.after(() => server.dropDatabase(server.url('ascii_only')))
  await assert.rejects(openStore(server.url('ascii_only')), {
    message: 'Cannot open store: the database must have the encoding UTF8: got "SQL_ASCII"',
  })
})

test('says that a store cannot be opened if the server refuses the connection', async () => {
  for (const [url, reason] of [
    [server.url('nowhere'), 'database "nowhere" does not exist'],
    [`${server.url('postgres')}?sslmode=require`, 'The server does not support SSL connections'],
  ] as const)
    await assert.rejects(openStore(url), { message: `Cannot open store: ${reason}` })
})

test('detects the use of a store whose URL has an application_name', async (t) => {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const named = `${url}${url.includes('?') ? '&' : '?'}application_name=production`
  const store = await openStore(named)
  await assert.rejects(renewStore(named, 1), /must not be in use/)
  await store.close()
  await renewStore(named, 1)
})

/** Shadows the server's function. */
async function refuseTimelines(url: string, code: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`
      create schema cloud;
      create function cloud.pg_current_wal_lsn() returns pg_lsn language plpgsql as
        $$ begin raise 'wal_level must be set to ''logical''' using errcode = '${code}'; end $$;
      alter database ${new URL(url).pathname.slice(1)} set search_path = cloud, pg_catalog`)
  } finally {
    await client.end()
  }
}
