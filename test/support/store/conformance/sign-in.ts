import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Store } from '../../../../src/store/contracts/store.ts'
import type { Guarantees } from './bed.ts'
import { addPerson, deletePerson } from './people.ts'
import { addSource, begin, draftOf } from './samples.ts'

/** What `SignInTables` promises. */
export const SIGN_IN_GUARANTEES: Guarantees = {
  'shows what was written to every read that follows, here and elsewhere': async ({ store, open }) => {
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

  'tells how many rows a statement has changed': async ({ store }) => {
    for (const name of ['Ann', 'Bob']) await addPerson(store, name)
    const updated = await store.signIn.queries.updateTable('users').set({ image: 'x' }).executeTakeFirst()
    const deleted = await store.signIn.queries.deleteFrom('users').executeTakeFirst()
    assert.deepEqual([updated.numUpdatedRows, deleted.numDeletedRows], [2n, 2n])
  },

  'goes on after a statement that failed, and keeps nothing of it': async ({ store }) => {
    await addPerson(store, 'Ann')
    await assert.rejects(addPerson(store, 'Ann'))
    await addPerson(store, 'Bob')
    assert.deepEqual(await emails(store), ['ann@example.org', 'bob@example.org'])
  },

  'refuses a transaction, and says why': async ({ store }) => {
    const transaction = store.signIn.queries.transaction().execute(() => Promise.resolve())
    await assert.rejects(transaction, /transactions and streams are not supported/)
  },

  'reads at once and writes in turn while a sync of the same store writes': async ({ store }) => {
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

  'runs statements written by hand, also one that writes in the guise of a read': async ({ store }) => {
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

  'shows its tables to whoever looks for them': async ({ store }) => {
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

  'forgets all that belongs to an account with it': async ({ store }) => {
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
