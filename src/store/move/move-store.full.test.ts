import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { addSource, begin, outcomeOf } from '../../../test/support/store/conformance/samples.ts'
import { dumpStore, execute, fillStore } from '../../../test/support/store/full-store.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { DAY_MS } from '../../lib/time.ts'
import { openDatabase, openStore } from '../open-store.ts'
import { type Moved, moveStore } from './move-store.ts'
import { MOVED_NAMES, NOT_COPIED, readTables } from './moved-tables.ts'

const NOW_MS = Date.parse('2026-03-01T00:00:00Z')

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

test('moves every table of the schema, except those that are listed as not copied', async (t) => {
  for (const url of [await sqlite(t), await postgres(t)]) {
    await (await openStore(url)).close()
    const database = await openDatabase(url)
    t.after(() => database.close())
    const names = (await readTables(database)).map(({ name }) => name)
    const known = [...MOVED_NAMES, ...Object.keys(NOT_COPIED)]
    assert.deepEqual(names.sort(), known.filter((name) => database.kind === 'postgres' || name !== 'write_lock').sort())
  }
})

test('moves a store from SQLite to PostgreSQL and back without changing a value', async (t) => {
  const [first, second, third] = [await sqlite(t), await postgres(t), await sqlite(t)]
  await fillStore(first)
  const there = await move(first, second)
  const back = await move(second, third)
  assert.deepEqual(back, there)
  for (const { table, rows } of there.tables) assert.ok(rows > 0, `${table} is empty`)
  const before = await dumpStore(first)
  assert.deepEqual(await dumpStore(second), before)
  assert.deepEqual(await dumpStore(third), before)
  assert.equal(before.get('slots')?.length, there.tables.find(({ table }) => table === 'slots')?.rows)
})

test('gives the target another store id, so that its followers load everything', async (t) => {
  const [from, to] = [await sqlite(t), await postgres(t)]
  await fillStore(from, 10)
  await move(from, to)
  const numbers = await Promise.all(
    [from, to].map(async (url) => {
      const store = await openStore(url)
      const changes = await store.revisionFeed.open(undefined)
      await changes.close()
      await store.close()
      return changes.store
    }),
  )
  assert.notEqual(numbers[0], numbers[1])
})

test('continues the ids and revisions of the source', async (t) => {
  const [from, to] = [await sqlite(t), await postgres(t)]
  await fillStore(from, 10)
  await move(from, to)
  const store = await openStore(to, { now: () => NOW_MS })
  t.after(() => store.close())
  const { slots } = await store.revisionFeed.revisions()
  const source = await addSource(store, 'next')
  assert.equal(source.id, 4)
  const writer = await begin(store, source)
  await writer.abandon({
    outcome: outcomeOf({ outcome: 'failed', error: 'x' }),
    rejections: [],
    nextSyncAtMs: 0,
  })
  await store.sources.remove('a')
  assert.equal((await store.revisionFeed.revisions()).slots, slots + 1)
  await assert.rejects(execute(to, 'delete from audit'), /append-only/)
})

test('resumes an interrupted move, and restarts it if the source has changed', async (t) => {
  const [from, to] = [await sqlite(t), await postgres(t)]
  await fillStore(from)
  await stopAt(from, to, 'slots')
  assert.deepEqual((await move(from, to)).resumed, true)
  assert.deepEqual(await dumpStore(to), await dumpStore(from))

  const again = await postgres(t)
  await stopAt(from, again, 'slots')
  await execute(
    from,
    `update users set name = 'New' where id = 'user-bea'`,
    `delete from slots where key in (select key from slots limit 8000)`,
  )
  const store = await openStore(from)
  await store.organizations.create('Later')
  await store.close()
  await move(from, again)
  assert.deepEqual(await dumpStore(again), await dumpStore(from))
})

test('refuses to open a store whose move is unfinished', async (t) => {
  const [from, to] = [await sqlite(t), await sqlite(t)]
  await fillStore(from)
  await stopAt(from, to, 'slots')
  await assert.rejects(openStore(to), /^Error: Cannot open store: the move into it must be finished first/)
  await assert.rejects(move(to, await sqlite(t)), /must be finished first/)
  const other = await sqlite(t)
  await fillStore(other, 1)
  await assert.rejects(move(other, to), /must be empty, or hold an unfinished move of the same store/)
})

test('rejects a target with data, and a missing source', async (t) => {
  const [from, to] = [await sqlite(t), await postgres(t)]
  await fillStore(from, 1)
  const store = await openStore(to)
  await store.operators.secret('cookie', () => 'x')
  await store.close()
  await assert.rejects(move(from, to), /--to must be empty.*got "rows in secrets"/)
  await assert.rejects(move(await sqlite(t), to), /--from must be an existing file/)
  await assert.rejects(move(await postgres(t), await sqlite(t)), /--from must be a store, but the database is empty/)
  const link = `${from}.link`
  symlinkSync(from.replace('sqlite:', ''), link.replace('sqlite:', ''))
  for (const same of [from, link]) await assert.rejects(move(from, same), /must be another store/)
})

for (const [kind, create] of Object.entries({ sqlite, postgres })) {
  test(`rejects a ${kind} store that is in use or being synced`, async (t) => {
    const [from, to] = [await create(t), await create(t)]
    const store = await openStore(from, { now: () => NOW_MS })
    const source = await addSource(store)
    await assert.rejects(move(from, to), /--from must not be in use/)
    await assert.rejects(move(to, from), /--from must be|--to must not be in use/)
    await begin(store, source)
    await store.close()
    await assert.rejects(move(from, to), /sources are being synced: a\. Stop the service/)
  })
}

test('moves a store with a lease that was taken by a clock that was ahead', async (t) => {
  const [from, to] = [await sqlite(t), await sqlite(t)]
  const store = await openStore(from, { now: () => NOW_MS + DAY_MS })
  await begin(store, await addSource(store))
  await store.close()
  assert.equal((await move(from, to)).resumed, false)
})

test('waits for the connections of a service that is stopping', async (t) => {
  const [from, to] = [await postgres(t), await sqlite(t)]
  await fillStore(from, 10)
  const store = await openStore(from)
  const [{ tables }] = await Promise.all([move(from, to), sleep(200).then(() => store.close())])
  assert.ok(tables.length > 0)
})

test('blocks writes to the source during a move', async (t) => {
  const [from, to] = [await postgres(t), await sqlite(t)]
  await fillStore(from, 10)
  const store = await openStore(from)
  await store.close()
  let writing: Promise<unknown> | undefined
  let isWritten = false
  await moveStore({
    from,
    to,
    now: () => NOW_MS,
    onProgress: () => {
      writing ??= execute(from, `insert into throttles values ('late', 1, 0, 0)`).then(() => {
        isWritten = true
      })
      assert.equal(isWritten, false)
    },
  })
  await writing
  assert.equal(isWritten, true)
  const [before, after] = [await dumpStore(to), await dumpStore(from)]
  assert.equal((after.get('throttles')?.length ?? 0) - (before.get('throttles')?.length ?? 0), 1)
})

function move(from: string, to: string): Promise<Moved> {
  return moveStore({ from, to, now: () => NOW_MS, onProgress: () => undefined })
}

/** Interrupts a move after the first batch of a table. */
async function stopAt(from: string, to: string, stopTable: string): Promise<void> {
  const onProgress = (table: string) => {
    if (table === stopTable) throw new Error('stopped')
  }
  await assert.rejects(moveStore({ from, to, now: () => NOW_MS, onProgress }), /stopped/)
}

async function sqlite(t: TestContext): Promise<string> {
  const folder = tempFolder(t)
  return `sqlite:${folder}/slots.db`
}

async function postgres(t: TestContext): Promise<string> {
  const url = await server.createDatabase()
  t.after(() => server.dropDatabase(url))
  return url
}
