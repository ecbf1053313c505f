import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openStore } from '../../src/store/open-store.ts'
import { renewStore } from '../../src/store/sql/renew-store.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { conformance } from '../support/store/conformance/conformance.ts'
import { sharedPostgres } from './shared-postgres.ts'

// The store's conformance suite through PgBouncer, which assigns a server connection per transaction. npm has no PgBouncer:
// the distribution must have it installed.

/** The id of the user `nobody`: PgBouncer refuses to run as root. */
const NOBODY = 65_534

if (isInstalled('pgbouncer')) await testBehindPgbouncer()
else test('the store behind PgBouncer', { skip: 'PgBouncer is not installed' }, () => undefined)

async function testBehindPgbouncer(): Promise<void> {
  const server = await sharedPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-slots-pgbouncer-'))
  const port = await freePort()
  const bouncer = await startBouncer(folder, port, server.port)
  after(async () => {
    bouncer.kill('SIGTERM')
    await once(bouncer, 'exit')
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const tests = conformance(async () => {
    const direct = await server.createStore()
    const url = new URL(direct)
    url.port = String(port)
    return { url: url.href, drop: () => server.dropDatabase(direct) }
  })
  for (const { name, run } of tests) test(name, run)

  test('a store is in use until the pooler has closed its connections', async (t) => {
    const direct = await server.createStore()
    t.after(() => server.dropDatabase(direct))
    const url = Object.assign(new URL(direct), { port })
    const store = await openStore(url.href)
    await store.close()
    await assert.rejects(renewStore(direct, 1), /but a service or its pooler has 1 connections/)
    const console = new pg.Client(Object.assign(new URL(url), { pathname: '/pgbouncer' }).href)
    await console.connect()
    await console.query('reconnect')
    await console.end()
    await renewStore(direct, 1)
  })
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

async function startBouncer(folder: string, port: number, serverPort: number): Promise<ChildProcess> {
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await chmod(folder, 0o755)
  await writeFile(users, '"tester" ""\n')
  await writeFile(settings, settingsText(users, port, serverPort))
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn('pgbouncer', ['--quiet', settings], { ...asNobody, stdio: ['ignore', 'ignore', 2] })
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`PgBouncer ended with ${code}`)))
  await Promise.race([untilListening(port), gone])
  gone.catch(() => undefined)
  return child
}

/** Fewer server connections than the suite opens, so that they are shared. */
function settingsText(users: string, port: number, serverPort: number): string {
  return `
[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = tester
pool_mode = transaction
default_pool_size = 6
max_client_conn = 500
`
}

async function untilListening(port: number): Promise<void> {
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  })
}
