import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from './postgres/shared-postgres.ts'
import { staysEqual } from './support/http/follow-directory.ts'
import { postgresPlace } from './support/store/changing-store.ts'

test('a second instance stays equal through random changes, restarts, restores and purges of both', async () => {
  const closed = await staysEqual(60)
  assert.ok(closed > 0, 'some chains must have been closed')
})

test('so does one on PostgreSQL that follows one on PostgreSQL', async () => {
  await using server = await sharedPostgres()
  await staysEqual(8, postgresPlace(server))
})
