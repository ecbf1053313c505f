import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { openStore } from '../open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

for (const [code, who] of Object.entries({
  '55000': 'a cloud that shares its storage',
  '0A000': 'a cluster without a log to stream',
})) {
  test(`opens where nobody may ask for the timeline, as with ${who}`, async (t) => {
    const url = await server.createDatabase()
    t.after(() => server.dropDatabase(url))
    await refuseTimelines(url, code)
    const store = await openStore(url)
    t.after(() => store.close())
    assert.equal((await store.revisionFeed.revisions()).epoch, 0)
  })
}

/** A function of that name stands before the server's own. */
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
