import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './harness.ts'
import { addPerson, deletePerson } from './people.ts'
import { addSource, begin, draftOf } from './samples.ts'

/** `SignInTables`. */
export const SIGN_IN_GUARANTEES: Guarantees = {
  'shows a write to every later read, in this store and others': async ({ store, open }) => {
    const other = await open()
    await addPerson(store, 'Ann')
    assert.deepEqual(await emails(store), ['ann@example.org'])
    assert.deepEqual(await emails(other), ['ann@example.org'])
    const updated = await store.signIn.queries
      .updateTable('users')
      .set({ email: 'new@example.org' })
      .returningAll()
      .execute()
    assert.equal(updated[0].email, 'new@example.org')
    assert.deepEqual(await emails(other), ['new@example.org'])
  },

  'returns the number of rows that a statement changed': async ({ store }) => {
    for (const name of ['Ann', 'Bob']) await addPerson(store, name)
    const updated = await store.signIn.queries.updateTable('users').set({ image: 'x' }).executeTakeFirst()
    const deleted = await store.signIn.queries.deleteFrom('users').executeTakeFirst()
    assert.deepEqual([updated.numUpdatedRows, deleted.numDeletedRows], [2n, 2n])
  },

  'continues after a failed statement, and keeps nothing of it': async ({ store }) => {
    await addPerson(store, 'Ann')
    await assert.rejects(addPerson(store, 'Ann'))
    await addPerson(store, 'Bob')
    assert.deepEqual(await emails(store), ['ann@example.org', 'bob@example.org'])
  },

  'rejects a transaction with the reason': async ({ store }) => {
    const transaction = store.signIn.queries.transaction().execute(() => Promise.resolve())
    await assert.rejects(transaction, /transactions and streams are not supported/)
  },

  'reads immediately and waits to write while a sync of the same store writes': async ({ store }) => {
    const writer = await begin(store, await addSource(store))
    const people = Array.from({ length: 10 }, (_, at) => `p${at}`)
    await Promise.all([
      ...people.map((name) => addPerson(store, name)),
      ...people.map((id) => writer.write({ inserts: [draftOf(id)] })),
      ...people.map((name) => store.organizations.create(name)),
      ...people.map(() => emails(store)),
    ])
    assert.equal((await emails(store)).length, 10)
    assert.equal((await store.organizations.list()).length, 10)
  },

  'runs raw statements, also one that writes and returns rows': async ({ store }) => {
    const { queries } = store.signIn
    await addPerson(store, 'Ann')
    const read = await sql<{
      n: number
    }>`with u as (select * from users) select count(*) as n from u`.execute(queries)
    assert.equal(Number(read.rows[0].n), 1)
    await sql`update users set name = 'New'`.execute(queries)
    assert.equal((await queries.selectFrom('users').select('name').executeTakeFirst())?.name, 'New')
    await sql`with u as (select 1) delete from users`.execute(queries)
    assert.deepEqual(await queries.selectFrom('users').selectAll().execute(), [])
  },

  'lists its tables': async ({ store }) => {
    const tables = await store.signIn.queries.introspection.getTables()
    const names = tables.map(({ name }) => name)
    for (const name of [
      'users',
      'sessions',
      'credentials',
      'verifications',
      'passkeys',
      'two_factors',
      'rate_limits',
    ]) {
      assert.ok(names.includes(name), name)
    }
  },

  'deletes everything that belongs to an account with the account': async ({ store }) => {
    const [ann, bob] = [await addPerson(store, 'Ann'), await addPerson(store, 'Bob')]
    for (const { userId } of [ann, bob]) await addBelongings(store, userId)
    await deletePerson(store, ann)
    for (const table of ['sessions', 'credentials', 'passkeys', 'two_factors']) {
      const rows = await store.signIn.queries.selectFrom(table).select('userId').execute()
      assert.deepEqual(
        rows.map((row) => row.userId),
        [bob.userId],
        table,
      )
    }
  },
}

async function emails(store: Store): Promise<string[]> {
  const rows = await store.signIn.queries.selectFrom('users').select('email').orderBy('email').execute()
  return rows.map((row) => row.email)
}

async function addBelongings({ signIn: { queries, type } }: Store, userId: string): Promise<void> {
  const at = type === 'sqlite' ? '2026-01-05T08:00:00.000Z' : new Date('2026-01-05T08:00:00.000Z')
  const own = { id: userId, userId }
  const dated = { ...own, createdAt: at, updatedAt: at }
  await queries
    .insertInto('sessions')
    .values({ ...dated, expiresAt: at, token: userId })
    .execute()
  await queries
    .insertInto('credentials')
    .values({ ...dated, accountId: 'a', providerId: 'p' })
    .execute()
  await queries
    .insertInto('two_factors')
    .values({ ...own, secret: 's', backupCodes: 'b' })
    .execute()
  await queries
    .insertInto('passkeys')
    .values({
      ...own,
      publicKey: 'k',
      credentialID: 'c',
      counter: 0,
      deviceType: 'd',
      backedUp: type === 'sqlite' ? 0 : false,
    })
    .execute()
}
