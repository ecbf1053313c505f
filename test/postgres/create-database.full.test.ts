import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../support/source-files.ts'
import { PostgresServer } from './postgres-server.ts'

const SCRIPT = join(ROOT, 'deploy/patroni/create-database')
const DATABASE = `select pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding
  from pg_database where datname = 'slots'`

test('the script that creates the database completes what an interrupted run has begun, and sets the password', {
  skip: existsSync('/usr/bin/psql') ? false : 'psql is not installed: Debian has it in postgresql-client',
}, async () => {
  await using server = await PostgresServer.start()
  const env = {
    ...process.env,
    PATRONI_SUPERUSER_USERNAME: 'tester',
    PATRONI_SUPERUSER_PASSWORD: 'unused',
    // The script names the host of the Compose file.
    PGHOSTADDR: '127.0.0.1',
    PGPORT: String(server.port),
  }
  await server.command('create role slots login')
  for (const password of [`it's $1 "secret"`, 'another']) {
    await promisify(execFile)('sh', [SCRIPT], { env: { ...env, SLOTS_PASSWORD: password } })
    const [database] = await server.command(DATABASE)
    assert.deepEqual(database, { owner: 'slots', encoding: 'UTF8' })
  }
  const [{ count }] = await server.command(`select count(*)::int as count from pg_authid
    where rolname = 'slots' and rolcanlogin and rolpassword is not null`)
  assert.equal(count, 1)
})
