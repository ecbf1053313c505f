import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../support/eventually.ts'
import { RunningService } from '../support/running-service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { installedPostgres } from './installed-postgres.ts'
import { PostgresServer } from './postgres-server.ts'

const run = promisify(execFile)

/** A service on a database, with a key that stays and one that is revoked later. */
async function open(t: TestContext, server: PostgresServer) {
  const service = await RunningService.prepare()
  t.after(() => service[Symbol.asyncDispose]())
  const folder = await archiveFolder(t)
  service.env.DATABASE_URL = await server.createDatabase()
  service.env.REVOCATION_LOG = join(folder, 'revocations')
  const kept = await service.createKey()
  const { id, key: revoked } = await service.run('key', 'create', '--org', 'Good Health', '--name', 'leaked')
  const ask = (path: string, key: unknown, headers = {}) =>
    fetch(service.origin + path, { headers: { 'x-api-key': String(key), ...headers } })
  const statuses = async () =>
    Promise.all([kept, revoked].map(async (key) => (await ask('/v1/scheduling/slots', key)).status))
  /** A revision of the exported slots, as a mirror has it. */
  const revision = async () => {
    const { headers } = await ask('/v1/scheduling/slots', kept, { accept: 'application/x-ndjson' })
    return String(headers.get('slots-revision'))
  }
  const changes = async (since: string) => (await ask(`/v1/scheduling/changes?since=${since}`, kept)).status
  return { service, folder, id: String(id), statuses, revision, changes }
}

async function archiveFolder(t: TestContext): Promise<string> {
  const folder = tempFolder(t)
  await chmod(folder, 0o777)
  return folder
}

test('point-in-time recovery restores earlier commits, and revoked keys stay revoked', async (t) => {
  const archive = await archiveFolder(t)
  await using server = await PostgresServer.start({
    archive_mode: 'on',
    archive_command: `test ! -f '${archive}/%f' && cp %p '${archive}/%f'`,
  })
  const { service, id, statuses, revision, changes } = await open(t, server)
  await using backup = await server.createBackup()
  await service.serve()
  assert.deepEqual(await statuses(), [200, 200])
  const since = await revision()
  assert.equal(await changes(since), 200)
  await service.run('org', 'create', 'Before')
  const [{ now }] = await server.command('select clock_timestamp()::text as now')
  await service.run('org', 'create', 'After')
  await service.run('key', 'revoke', id, '--yes')
  const [{ file }] = await server.command('select pg_walfile_name(pg_switch_wal()) as file')
  await eventually(async () => {
    const [{ archived }] = await server.command('select last_archived_wal as archived from pg_stat_archiver')
    return typeof archived === 'string' && archived >= String(file)
  })
  await service.stop()
  await server.kill('SIGKILL')

  await backup.recover({
    archive_mode: 'off',
    restore_command: `cp '${archive}/%f' "%p"`,
    recovery_target_time: String(now),
    recovery_target_action: 'promote',
  })
  const { pathname } = new URL(String(service.env.DATABASE_URL))
  service.env.DATABASE_URL = backup.url(pathname.slice(1))
  const names = async () => {
    const organizations = (await service.run('org', 'list')) as unknown as { name: string }[]
    return organizations.map(({ name }) => name)
  }
  assert.deepEqual(await names(), ['Before', 'Good Health'])
  await service.serve()
  assert.deepEqual(await statuses(), [200, 401])
  assert.equal(await changes(since), 410)
})

const binaries = installedPostgres()

test('pg_dump and pg_restore restore everything, and revoked keys stay revoked', {
  skip: binaries === undefined && 'the distribution has no PostgreSQL in /usr/lib/postgresql',
}, async (t) => {
  const program = (name: string) => join(String(binaries), 'bin', name)
  await using server = await PostgresServer.start({}, binaries)
  const { service, folder, id, statuses, revision, changes } = await open(t, server)
  await service.serve()
  const since = await revision()
  const dump = join(folder, 'slots.dump')
  await run(program('pg_dump'), ['--format=custom', `--file=${dump}`, String(service.env.DATABASE_URL)])
  await service.run('key', 'revoke', id, '--yes')
  await eventually(async () => (await statuses())[1] === 401)
  await service.stop()
  service.env.DATABASE_URL = await server.createDatabase()
  const target = `--dbname=${service.env.DATABASE_URL}`
  await run(program('pg_restore'), ['--no-owner', '--exit-on-error', target, dump])
  await service.run('store', 'renew')
  await service.serve()
  assert.deepEqual(await statuses(), [200, 401])
  assert.equal(await changes(since), 410)
})
