import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Forwarder } from '../../../test/postgres/forwarder.ts'
import { PostgresServer } from '../../../test/postgres/postgres-server.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { StoreUnavailable } from '../contracts/store.ts'
import { asStoreError, Primary } from './connections.ts'
import { openPostgres } from './open.ts'

const [one, two] = await Promise.all([PostgresServer.start(), PostgresServer.start()])
after(() => Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]))

const PORT = { text: "select current_setting('port')::int as port" }
const SLEEPING = { text: "select 1 from pg_stat_activity where query = 'select pg_sleep(60)'" }

function primaryOf(t: TestContext, ...ports: readonly number[]): Primary {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
  const primary = new Primary(`postgres://tester:secret@${hosts}/postgres`)
  t.after(() => primary.end())
  return primary
}

async function portOf(primary: Primary): Promise<number> {
  return (await primary.query(PORT)).rows[0].port
}

async function onceAvailable<T>(ask: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + 30_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > deadlineMs || !(error instanceof StoreUnavailable)) throw error
      await sleep(50)
    }
  }
}

test('uses the writable one of several hosts, and finds the new one after a switch', async (t) => {
  t.after(() => setReadOnly(one, 'off'))
  const primary = primaryOf(t, two.port, one.port)
  await setReadOnly(two, 'on')
  assert.equal(await portOf(primary), one.port)
  assert.equal(await portOf(primary), one.port)

  const client = await primary.connect()
  await setReadOnly(one, 'on')
  await setReadOnly(two, 'off')
  client.release(true)
  await onceAvailable(async () => assert.equal(await portOf(primary), two.port))
})

test('leaves a host that refuses to write, although its connections stay open', async (t) => {
  t.after(() => Promise.all([setReadOnly(one, 'off'), setReadOnly(two, 'off')]))
  await (await openPostgres(two.url('postgres'))).close()
  await setReadOnly(two, 'on')
  const database = await openPostgres(`postgres://tester:secret@127.0.0.1:${one.port},127.0.0.1:${two.port}/postgres`)
  t.after(() => database.close())
  const writePort = () =>
    database.transaction('power-cut', async ({ queries }) => {
      const { rows } = await sql<{ port: number }>`select current_setting('port')::int as port`.execute(queries)
      return rows[0].port
    })
  assert.equal(await writePort(), one.port)
  await setReadOnly(one, 'on')
  await setReadOnly(two, 'off')
  assert.equal(await onceAvailable(writePort), two.port)
})

test('polls notice that their host became read-only, and find another that accepts writes', async (t) => {
  t.after(() => Promise.all([setReadOnly(one, 'off'), setReadOnly(two, 'off')]))
  await setReadOnly(two, 'on')
  const database = await openPostgres(`postgres://tester:secret@127.0.0.1:${one.port},127.0.0.1:${two.port}/postgres`)
  t.after(() => database.close())
  const poll = () => database.epoch(database.read)
  await poll()
  await setReadOnly(one, 'on')
  const isAway = (error: unknown) => error instanceof StoreUnavailable
  await eventually(() => poll().then(() => false, isAway))
  await assert.rejects(poll(), StoreUnavailable)
  await setReadOnly(two, 'off')
  await onceAvailable(poll)
})

test('reports a read-only standby as unavailable', async (t) => {
  t.after(() => setReadOnly(two, 'off'))
  await setReadOnly(two, 'on')
  const primary = primaryOf(t, two.port)
  await assert.rejects(primary.query(PORT), (error: unknown) => {
    assert.ok(error instanceof StoreUnavailable)
    assert.match(error.message, /the host is a read-only standby/)
    return true
  })
})

test('fails statements as unavailable when the primary is killed, and uses the next host', async (t) => {
  const primary = primaryOf(t, one.port, two.port)
  const client = await primary.connect()
  await client.query('begin')
  const waiting = primary.query({ text: 'select pg_sleep(60)' })
  const failed = assert.rejects(waiting, StoreUnavailable)
  await eventually(async () => (await primary.query(SLEEPING)).rowCount === 1)
  await one.kill()
  t.after(() => one.resume())
  await failed
  // The end of an idle connection must not be an uncaught error.
  await assert.rejects(
    client.query('select 1').catch((error) => Promise.reject(asStoreError(error))),
    StoreUnavailable,
  )
  client.release(true)
  assert.equal(await portOf(primary), two.port)
})

test('gives up a host that stops responding, and uses the next one', async (t) => {
  await using forwarder = await Forwarder.open()
  forwarder.lead(one.port)
  const primary = primaryOf(t, forwarder.port, two.port)
  assert.equal(await portOf(primary), one.port)
  forwarder.silence()
  await assert.rejects(primary.query(PORT), StoreUnavailable)
  assert.equal(await onceAvailable(() => portOf(primary)), two.port)
})

test('waits for a slow statement of a responsive host', async (t) => {
  const primary = primaryOf(t, two.port)
  const { rows } = await primary.query({ text: "select pg_sleep(8), 'done' as said" })
  assert.equal(rows[0].said, 'done')
})

test('waits for a slow statement of a host that refuses further connections', async (t) => {
  await two.command('create role lonely login connection limit 1')
  const primary = new Primary(`postgres://lonely@127.0.0.1:${two.port}/postgres`)
  t.after(() => primary.end())
  const { rows } = await primary.query({ text: "select pg_sleep(8), 'done' as said" })
  assert.equal(rows[0].said, 'done')
})

test('reports failed authentication as an error, without trying the next host', async (t) => {
  const primary = new Primary(`postgres://nobody@127.0.0.1:${one.port},127.0.0.1:${two.port}/postgres`)
  t.after(() => primary.end())
  await assert.rejects(primary.query(PORT), { code: '28000' })
})

/** Makes a server read-only, as a primary is before it becomes a standby, or writable. Resolves when new sessions see it. */
async function setReadOnly(server: PostgresServer, value: 'on' | 'off'): Promise<void> {
  await server.command(`alter system set default_transaction_read_only = ${value}`)
  await server.command('select pg_reload_conf()')
  const deadlineMs = Date.now() + 30_000
  for (;;) {
    const [shown] = await server.command('show default_transaction_read_only')
    if (shown.default_transaction_read_only === value) return
    assert.ok(Date.now() < deadlineMs)
    await sleep(10)
  }
}
