import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { openStore } from '../open-store.ts'

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('a node that freezes while it sends rows loses the write lock', async (t) => {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  const store = await openStore(url)
  t.after(() => store.close())
  const frozen = new pg.Client({ connectionString: url, application_name: 'scheduling-slots' })
  const ended = Promise.withResolvers<Error>()
  frozen.on('error', ended.resolve)
  await frozen.connect()
  t.after(() => frozen.end())
  await frozen.query(`begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10s';
    select from write_lock where id = 1 for update`)
  // No timeout of the server ends it: it waits for rows inside a statement.
  frozen.query({
    submit: (connection: pg.Connection) => connection.query('copy request_log from stdin'),
    handleError: ended.resolve,
    handleCopyInResponse: () => undefined,
  })

  await assert.rejects(store.organizations.create('Acme'), StoreUnavailable)
  assert.match((await ended.promise).message, /terminating connection due to administrator command/)
  await store.organizations.create('Acme')
})
