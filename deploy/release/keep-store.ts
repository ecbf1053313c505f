import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startPublisher } from '../../demo/publisher.ts'
import { installedPostgres } from '../../test/postgres/installed-postgres.ts'
import { PostgresServer } from '../../test/postgres/postgres-server.ts'
import { RunningService } from '../../test/support/running-service.ts'

// node deploy/release/keep-store.ts <folder>: makes a small store by the commands of this version and keeps it in the folder, with the
// facts that later versions must find in it. A release does so for each version. Requires PostgreSQL with pg_dump.
//
//     slots.db.gz     the store in SQLite
//     slots.sql.gz    the same store in PostgreSQL: a dump as SQL
//     facts.json      `StoreFacts`

/** The time of its slots, so that they do not end for a long time. */
const SLOTS_AT_MS = Date.parse('2090-01-02T00:00:00Z')
/** The least that has slots of every state. */
const SLOTS = 1

const DUMP_BYTES_MAX = 100_000_000

/** What a store contains. Its keys work in this store only. */
export interface StoreFacts {
  readonly activeKey: string
  readonly revokedKey: string
  readonly suspendedKey: string
  /** Ids of the free slots, in order. */
  readonly slots: readonly string[]
  readonly subscription: string
}

async function keepStore(folder: string): Promise<void> {
  await using service = await RunningService.prepare()
  const publisher = await startPublisher({ port: 0, slots: SLOTS, seed: 1, clock: () => SLOTS_AT_MS })
  const createKey = async (org: string, name: string) => service.run('key', 'create', '--org', org, '--name', name)
  await service.run('org', 'create', 'Good Health')
  await service.run('org', 'create', 'Suspended')
  const active = await createKey('Good Health', 'active')
  const revoked = await createKey('Good Health', 'revoked')
  const suspended = await createKey('Suspended', 'suspended')
  await service.run('key', 'revoke', String(revoked.id), '--reason', 'lost', '--yes')
  await service.run('org', 'suspend', 'Suspended', '--reason', 'unpaid')
  await service.run('source', 'add', 'sample', publisher.url)
  await service.run('sync', 'sample')
  await publisher.close()
  const webhook = ['--org', 'Good Health', '--url', 'https://receiver.example/', '--filters', 'state=CA']
  const { id: subscription } = await service.run('subscription', 'create', ...webhook)
  await service.serve()
  const { body } = await service.slots(String(active.key), 'limit=100')
  const backup = join(folder, 'slots.db')
  mkdirSync(folder, { recursive: true })
  await service.run('backup', backup)
  await service.stop()
  writeCompressed(join(folder, 'slots.sql'), await dumpInPostgres(service, backup))
  const facts: StoreFacts = {
    activeKey: String(active.key),
    revokedKey: String(revoked.key),
    suspendedKey: String(suspended.key),
    slots: body.slots.map(({ id }) => id),
    subscription: String(subscription),
  }
  writeFileSync(join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
  writeCompressed(backup, readFileSync(backup))
  rmSync(backup)
}

/** A dump of the store after it was moved to a new database. */
async function dumpInPostgres(service: RunningService, file: string): Promise<string> {
  const installed = installedPostgres()
  if (installed === undefined) throw new Error('Cannot dump the store: install PostgreSQL with its client programs.')
  await using server = await PostgresServer.start({}, installed)
  const url = await server.createDatabase()
  // URLs of SQLite stores begin with a slash or a dot.
  await service.run('move', '--from', `sqlite:${resolve(file)}`, '--to', url)
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100', url]
  const { stdout } = await promisify(execFile)(join(installed, 'bin/pg_dump'), options, { maxBuffer: DUMP_BYTES_MAX })
  // Commands of psql, which newer versions add, are no SQL.
  return stdout.replaceAll(/^\\.*\n/gm, '')
}

function writeCompressed(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}

await keepStore(process.argv[2])
