import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS, type StoreHarness } from './harness.ts'
import { addPerson, found, join, type Person } from './people.ts'

const COMMAND_LINE = { name: 'command line' }

/** The service's log and the hash chain over all logs. */
export const AUDIT_CHAIN_GUARANTEES: Guarantees = {
  'records what happened to a person in the log of the service and of each organization': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    const ann = await join(store, acme, 'Ann')
    const by: Person = { ...(await addPerson(store, 'Olga')), requestId: 'r-1' }
    const detail = { by: 'link' }
    await store.audit.record({ kind: 'account.reset-link-created', userId: ann.userId, by, detail })
    const newest = async (organizationId: string | null) => (await store.audit.list({ organizationId, limit: 1 }))[0]
    for (const organizationId of [null, acme.organization.id]) {
      assert.deepEqual(await newest(organizationId), {
        id: (await newest(organizationId)).id,
        atMs: HARNESS_STARTS_MS,
        ...(organizationId !== null && { organizationId }),
        kind: 'account.reset-link-created',
        actor: by,
        subject: ann.userId,
        detail: { email: 'ann@example.org', by: 'link' },
      })
    }
    assert.equal((await newest(other.organization.id)).kind, 'organization.created')
    assert.equal((await store.audit.list({ organizationId: null, limit: 9 })).length, 1)
  },

  'records what happened to an organization in its log and the log of the service': async ({ store }) => {
    const { organization } = await found(store)
    await store.audit.record({ kind: 'organization.suspended', organizationId: organization.id, by: COMMAND_LINE })
    for (const organizationId of [null, organization.id]) {
      const [{ kind, subject, detail }] = await store.audit.list({ organizationId, limit: 1 })
      assert.deepEqual([kind, subject, detail], ['organization.suspended', organization.id, {}])
    }
  },

  'links each entry to the one before it by SHA-256': async ({ store }) => {
    const { organization, owner } = await found(store)
    for (const name of ['a', 'b', 'ü "\\ 漢字']) await store.organizations.rename(organization.id, name, owner)
    const entries = await store.audit.after(0, 100)
    assert.deepEqual(
      entries.map(({ id }) => id),
      [1, 2, 3, 4],
    )
    assert.deepEqual(
      entries.map(({ previousHash }) => previousHash),
      ['0'.repeat(64), ...entries.slice(0, 3).map((entry) => entry.hash)],
    )
    const { id, atMs, kind, actor, detail, previousHash } = entries[3]
    const { userId, name, address } = actor
    const columns = [id, atMs, organization.id, kind, userId, name, address, null, name, null]
    assert.equal(entries[3].hash, hash('sha256', JSON.stringify([...columns, JSON.stringify(detail), previousHash])))
    assert.deepEqual(await store.audit.after(3, 100), [entries[3]])
    assert.deepEqual(await store.audit.after(0, 2), entries.slice(0, 2))
    const head = { id: 4, hash: entries[3].hash }
    const anchor = { id: 0, hash: '0'.repeat(64) }
    assert.deepEqual(await store.audit.verify(), { intact: true, entries: 4, head, anchor })
  },

  'keeps one chain under concurrent changes on two stores': async (harness) => {
    const stores = [harness.store, await harness.open()]
    const { organization, owner } = await found(harness.store)
    const work = Array.from({ length: 40 }, (_, n) => {
      const store = stores[n % 2]
      if (n % 3 === 0) return store.audit.record({ kind: 'account.password-changed', userId: owner.userId, by: owner })
      return store.organizations.rename(organization.id, `name ${n}`, owner)
    })
    await Promise.all(work)
    const verification = await harness.store.audit.verify()
    assert.deepEqual([verification.intact, 'entries' in verification && verification.entries], [true, 41 + 14])
  },

  'finds an entry that was changed in SQL': async (harness) => {
    for (const change of [`kind = 'member.left'`, `actor_name = 'x'`, `detail = '{}'`, 'at_ms = 1', `subject = 'x'`]) {
      await tampered(harness, sql.raw(`update audit set ${change} where id = 3`), { id: 3, reason: /changed/ })
    }
  },

  'finds the newest entry changed, deleted or inserted in SQL': async (harness) => {
    await tampered(harness, sql.raw(`update audit set detail = '{"to":"x"}' where id = 6`), {
      id: 6,
      reason: /changed/,
    })
    await tampered(harness, sql.raw('delete from audit where id = 6'), { id: 6, reason: /missing/ })
    const columns = 'id, at_ms, organization_id, kind, actor_name, actor_folded, detail, previous_hash'
    const values = `7, 1, null, 'operator.granted', 'x', 'x', '{}', 'x'`
    const insert = sql.raw(`insert into audit (${columns}) values (${values})`)
    await tampered(harness, insert, { id: 6, reason: /changed/ })
  },

  'finds entries that were deleted in SQL': async (harness) => {
    await tampered(harness, sql.raw('delete from audit where id = 1'), { id: 1, reason: /missing/ })
    await tampered(harness, sql.raw('delete from audit where id in (3, 4)'), { id: 3, reason: /missing/ })
    await tampered(harness, sql.raw('delete from audit'), { id: 1, reason: /missing/ })
  },

  'finds entries deleted behind an anchor that was moved in SQL': async (harness) => {
    const { store } = harness
    await six(store)
    const { hash } = (await store.audit.after(2, 1))[0]
    const statement = `insert into audit_chain (name, entry_id, hash) values ('anchor', 3, '${hash}')`
    await sql.raw(statement).execute(store.signIn.queries)
    await sql.raw('delete from audit where id <= 3').execute(store.signIn.queries)
    const verification = await store.audit.verify()
    assert.deepEqual(verification, {
      intact: false,
      id: 1,
      reason: 'older entries were deleted, but not by retention',
    })
  },

  'deletes old entries and stays verifiable': async ({ store, clock }) => {
    await six(store)
    clock.nowMs += 1000
    await six(store, 'Later')
    const before = await store.audit.after(0, 100)
    assert.equal(await store.audit.deleteBefore(HARNESS_STARTS_MS), 0)
    assert.equal(await store.audit.deleteBefore(clock.nowMs), 6)
    const rest = await store.audit.after(0, 100)
    assert.deepEqual(rest.slice(0, 6), before.slice(6))
    assert.deepEqual(
      rest.slice(6).map(({ kind, actor, detail }) => ({ kind, name: actor.name, detail })),
      [
        {
          kind: 'audit.trimmed',
          name: 'retention',
          detail: { entries: 6, lastId: 6, lastHash: before[5].hash },
        },
      ],
    )
    const verification = await store.audit.verify()
    assert.ok(verification.intact)
    assert.deepEqual([verification.entries, verification.anchor], [7, { id: 6, hash: before[5].hash }])
    assert.equal(await store.audit.deleteBefore(clock.nowMs), 0)
    clock.nowMs += 1000
    assert.equal(await store.audit.deleteBefore(clock.nowMs), 7)
    const again = await store.audit.verify()
    assert.ok(again.intact)
    assert.deepEqual([again.entries, again.anchor.id], [1, 13])
    await assert.rejects(store.signIn.queries.deleteFrom('audit').execute(), /append-only/)
  },

  'deletes the oldest streamed entries beyond a number and stays verifiable': async ({ store }) => {
    for (let n = 0; n < 5; n++) await six(store, `Acme ${n}`)
    const before = await store.audit.after(0, 200)
    assert.equal(before.length, 30)
    assert.equal(await store.audit.deleteStreamed(20), 0)
    await store.audit.putStreamed(5)
    assert.equal(await store.audit.deleteStreamed(30), 0)
    assert.equal(await store.audit.deleteStreamed(20), 5)
    await store.audit.putStreamed(31)
    assert.equal(await store.audit.deleteStreamed(20), 7)
    const rest = await store.audit.after(0, 200)
    assert.deepEqual(rest.slice(0, 18), before.slice(12))
    assert.deepEqual(
      rest.slice(18).map(({ kind }) => kind),
      ['audit.trimmed', 'audit.trimmed'],
    )
    const verification = await store.audit.verify()
    assert.ok(verification.intact)
    assert.deepEqual([verification.entries, verification.anchor.id], [20, 12])
    assert.equal(await store.audit.deleteStreamed(20), 0)
  },
}

/** Six entries: the organization and five names. */
async function six(store: Store, name = 'Acme'): Promise<void> {
  const { organization, owner } = await found(store, name)
  for (const n of [1, 2, 3, 4, 5]) await store.organizations.rename(organization.id, `${name} ${n}`, owner)
}

/** Changes a new store as somebody who owns the database can, and expects `verify()` to find it. */
async function tampered(
  { open }: StoreHarness,
  statement: ReturnType<typeof sql.raw>,
  expected: { id: number; reason: RegExp },
): Promise<void> {
  const store = await open()
  const { queries } = store.signIn
  if ((await store.audit.after(0, 1)).length === 0) await six(store)
  const before = await store.audit.verify()
  assert.ok(before.intact)
  const backup = await queries.selectFrom('audit').selectAll().execute()
  await switchTriggers(store, 'disable')
  await statement.execute(queries)
  const found = await store.audit.verify()
  assert.ok(!found.intact)
  assert.equal(found.id, expected.id, found.reason)
  assert.match(found.reason, expected.reason)
  await queries.deleteFrom('audit').execute()
  for (const row of backup) await queries.insertInto('audit').values(row).execute()
  await switchTriggers(store, 'enable')
  assert.deepEqual(await store.audit.verify(), before)
}

/** PostgreSQL's test databases are used again; SQLite's are not. */
async function switchTriggers({ signIn: { queries, type } }: Store, to: 'disable' | 'enable'): Promise<void> {
  if (type === 'postgres') return void (await sql.raw(`alter table audit ${to} trigger all`).execute(queries))
  for (const change of ['update', 'delete', 'insert']) {
    await sql.raw(`drop trigger if exists audit_refuses_${change}`).execute(queries)
  }
}
