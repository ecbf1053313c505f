import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { renameSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { StoreUnavailable } from '../contracts/store.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Database } from '../sql/database.ts'
import { openSqlite } from './database.ts'

test('waits for another process to finish writing, and lets the thread go on meanwhile', async (t) => {
  const { database, path } = await tempDatabase(t)
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('begin immediate')
  let done = false
  const waiting = putCounter(database, 7).then(() => {
    done = true
  })
  // Each turn of the event loop is one in which a request would have been answered.
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  assert.equal(done, false)
  assert.equal(await readCounter(database), 0)
  other.exec('commit')
  await waiting
  assert.equal(await readCounter(database), 7)
})

test('keeps its locks on the file, however often this process opens and closes it', async (t) => {
  const { path } = await tempDatabase(t)
  const second = await openSqlite(path)
  t.after(() => second.close())
  await (await openSqlite(path)).close()
  assert.equal(lockElsewhere(path), 'database is locked')
})

test('takes nothing over from work that throws, and goes on with the next', async (t) => {
  const { database } = await tempDatabase(t)
  const failing = database.transaction('power-cut', async ({ queries }) => {
    await queries.updateTable('counters').set({ value: 5 }).execute()
    throw new Error('halfway')
  })
  const next = putCounter(database, 3)
  await assert.rejects(failing, /halfway/)
  await next
  assert.equal(await readCounter(database), 3)
})

test('is available only while the file that it opened has its name', async (t) => {
  const { database, path } = await tempDatabase(t)
  renameSync(path, `${path}.moved`)
  await assert.rejects(putCounter(database, 1), StoreUnavailable)
  writeFileSync(path, '')
  await assert.rejects(putCounter(database, 2), { message: /its file was replaced or deleted.*: restart the service/ })
  assert.throws(() => database.dataVersion?.(), StoreUnavailable)
  renameSync(`${path}.moved`, path)
  await putCounter(database, 3)
  assert.equal(await readCounter(database), 3)
})

test('is unavailable while its disk is full', async (t) => {
  const { database } = await tempDatabase(t)
  const setPages = (count: number) =>
    database.transaction('kill', ({ queries }) => sql.raw(`pragma max_page_count = ${count}`).execute(queries))
  const fill = () =>
    database.transaction('kill', ({ queries }) =>
      queries
        .insertInto('counters')
        .values({ name: 'x'.repeat(1_000_000), value: 1 })
        .execute(),
    )
  await setPages(1)
  await assert.rejects(fill(), new StoreUnavailable('Cannot use the store: database or disk is full'))
  await setPages(1_000_000)
  await fill()
})

test('says that the disk is full if that keeps a file from being opened', async (t) => {
  const { database, path } = await tempDatabase(t)
  await database.close()
  assert.match(openWithoutSpace(path), /^Cannot open store ".*": database or disk is full$/)
})

test('is unavailable if its file is damaged', async (t) => {
  const { database, path } = await tempDatabase(t)
  const other = new DatabaseSync(path)
  other.exec('pragma wal_checkpoint(truncate)')
  other.close()
  truncateSync(path, 5000)
  const damaged = new StoreUnavailable('Cannot use the store: database disk image is malformed: restore a backup')
  await assert.rejects(readCounter(database), damaged)
  await assert.rejects(putCounter(database, 1), damaged)
})

test('runs transactions one after the other, in the order in which they were asked for', async (t) => {
  const { database } = await tempDatabase(t)
  const order: number[] = []
  const note = (value: number) =>
    database.transaction('kill', async ({ queries }) => {
      await queries.selectFrom('counters').selectAll().execute()
      order.push(value)
    })
  await Promise.all([note(1), note(2), note(3)])
  assert.deepEqual(order, [1, 2, 3])
})

test('writes nothing by the connection that reads', async (t) => {
  const { database } = await tempDatabase(t)
  await assert.rejects(database.read.queries.deleteFrom('counters').execute(), /readonly/)
})

test('waits on while nothing is committed since a data version, and ends soon after a commit of another process', async (t) => {
  const { database, path } = await tempDatabase(t)
  const { signal } = new AbortController()
  const since = database.dataVersion?.()
  const wait = async () => {
    const startedMs = performance.now()
    await database.waitForChange({ ms: 20, unchangedMs: 200, since }, signal)
    return performance.now() - startedMs
  }
  assert.ok((await wait()) >= 200)
  const waiting = database.waitForChange({ ms: 20, unchangedMs: 2_147_483_647, since }, signal)
  const other = new DatabaseSync(path)
  other.exec(`update counters set value = 1 where name = 'keys'`)
  other.close()
  await waiting
  // Also if the commit was before the wait.
  await database.waitForChange({ ms: 20, unchangedMs: 2_147_483_647, since }, signal)
})

test('ends a wait for a change if its file cannot be read, which the next read reports', async (t) => {
  const { database, path } = await tempDatabase(t)
  const { signal } = new AbortController()
  const waiting = database.waitForChange(
    { ms: 20, unchangedMs: 2_147_483_647, since: database.dataVersion?.() },
    signal,
  )
  const other = new DatabaseSync(path)
  other.exec('pragma wal_checkpoint(truncate)')
  other.close()
  writeFileSync(path, Buffer.alloc(4096), { flag: 'r+' })
  await waiting
  assert.throws(() => database.dataVersion?.(), StoreUnavailable)
})

test('ends a wait for a change when it is aborted, before and during it', async (t) => {
  const { database } = await tempDatabase(t)
  const pause = { ms: 2_147_483_647, unchangedMs: 2_147_483_647, since: database.dataVersion?.() }
  await database.waitForChange(pause, AbortSignal.abort())
  const stop = new AbortController()
  const waiting = database.waitForChange(pause, stop.signal)
  stop.abort()
  await waiting
})

function putCounter(database: Database, value: number): Promise<unknown> {
  return database.transaction('power-cut', ({ queries }) =>
    queries.updateTable('counters').set({ value }).where('name', '=', 'keys').execute(),
  )
}

async function readCounter(database: Database): Promise<number> {
  const query = database.read.queries.selectFrom('counters').select('value').where('name', '=', 'keys')
  return (await query.executeTakeFirstOrThrow()).value
}

async function tempDatabase(t: TestContext): Promise<{ database: Database; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'slots-sqlite-'))
  const path = join(folder, 'slots.db')
  const database = await openSqlite(path)
  await migrate(database, 0)
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  return { database, path }
}

/** What another process is told that wants the file for itself. */
function lockElsewhere(path: string): string {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
    try { database.exec('pragma locking_mode = exclusive; begin exclusive') } catch (error) { console.log(error.message) }`
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()
}

/** Opens the file in another process, whose files may have 8 KiB (of 512 bytes): too little for the shared memory. Returns the error. */
function openWithoutSpace(path: string): string {
  const script = `
    import(${JSON.stringify(import.meta.resolve('./database.ts'))})
      .then(({ openSqlite }) => openSqlite(${JSON.stringify(path)}))
      .catch((error) => process.stdout.write(error.message))`
  return execFileSync('sh', ['-c', 'ulimit -f 16 && exec "$0" -e "$1"', process.execPath, script], { encoding: 'utf8' })
}
