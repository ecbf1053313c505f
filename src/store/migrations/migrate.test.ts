import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { sharedPostgres } from '../../../test/postgres/shared-postgres.ts'
import { addSource } from '../../../test/support/store/conformance/samples.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { openDatabase, openStore } from '../open-store.ts'
import type { Database } from '../sql/database.ts'
import { MIGRATIONS, migrate } from './migrate.ts'

const STEPS = MIGRATIONS.map(({ name }) => name)

const server = await sharedPostgres()
after(() => server[Symbol.asyncDispose]())

for (const [kind, create] of Object.entries({ sqlite: createSqlite, postgres: createPostgres })) {
  for (const names of [['0001-first', '0002-accounts', '0009-source-actions'], ['0001-baseline-00000000']]) {
    test(`${kind}: refuses a store that begins with ${names[0]} and says what to do`, async (t) => {
      const url = await create(t)
      const database = await openDatabase(url)
      await database.transaction('kill', async ({ queries }) => {
        await sql`create table if not exists migrations (name text primary key not null, applied_at_ms integer not null)`.execute(
          queries,
        )
        for (const name of names) await queries.insertInto('migrations').values({ name, applied_at_ms: 1 }).execute()
      })
      await database.close()
      await assert.rejects(openStore(url), {
        message:
          'Cannot open store: a development version created it, and its layout cannot be upgraded. Create a new store: point DATABASE_URL to a new SQLite file or to an empty PostgreSQL database',
      })
    })
  }

  test(`${kind}: applies each step once`, async (t) => {
    const url = await create(t)
    for (let opening = 0; opening < 3; opening++) await (await openStore(url)).close()
    assert.deepEqual(await namesOf(await opened(t, url)), STEPS)
  })

  test(`${kind}: applies a later step to a store with data and keeps the data`, async (t) => {
    const url = await create(t)
    const store = await openStore(url)
    const { slug } = await addSource(store)
    await store.close()
    const database = await opened(t, url)
    const added = {
      name: '9999-test',
      up: async (queries: Database['read']['queries']) => {
        await queries.schema.alterTable('sources').addColumn('region', 'text').execute()
      },
    }
    for (let opening = 0; opening < 2; opening++) await migrate(database, 50, [...MIGRATIONS, added])
    assert.deepEqual(await namesOf(database), [...STEPS, '9999-test'])
    const { rows } = await sql`select slug, region from sources`.execute(database.read.queries)
    assert.deepEqual(
      rows.map((row) => ({ ...(row as object) })),
      [{ slug, region: null }],
    )
    await assert.rejects(openStore(url), /a newer version upgraded it to schema "9999-test"/)
  })
}

async function namesOf(database: Database): Promise<string[]> {
  const rows = await database.read.queries.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

async function opened(t: TestContext, url: string): Promise<Database> {
  const database = await openDatabase(url)
  t.after(() => database.close())
  return database
}

async function createSqlite(t: TestContext): Promise<string> {
  const folder = tempFolder(t)
  return `sqlite:${folder}/slots.db`
}

async function createPostgres(): Promise<string> {
  return server.createDatabase()
}
