import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { HOUR_MS } from '../../../../src/lib/time.ts'
import type { AuditFilter } from '../../../../src/store/contracts/audit.ts'
import type { Store } from '../../../../src/store/contracts/store.ts'
import { type Guarantees, HARNESS_STARTS_MS } from './harness.ts'
import { addPerson, deletePerson, found, join, logOf } from './people.ts'
import { keyOf } from './samples.ts'

/** `AuditLog`. */
export const AUDIT_GUARANTEES: Guarantees = {
  'returns an entry with its actor, time, address and subject': async ({ store }) => {
    const { organization, owner } = await found(store)
    const [entry] = await store.audit.list({ organizationId: organization.id, limit: 10 })
    assert.deepEqual(entry, {
      id: entry.id,
      atMs: HARNESS_STARTS_MS,
      organizationId: organization.id,
      kind: 'organization.created',
      actor: owner,
      detail: { name: 'Acme' },
    })
  },

  'gives later entries greater ids across organizations and lists pages newest first': async ({ store }) => {
    const { organization, owner } = await found(store)
    await found(store, 'Other')
    for (const name of ['a', 'b', 'c', 'd']) await store.organizations.rename(organization.id, name, owner)
    const organizationId = organization.id
    const all = await store.audit.list({ organizationId, limit: 100 })
    assert.deepEqual(
      all.map(({ detail }) => detail.to),
      ['d', 'c', 'b', 'a', undefined],
    )
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).sort((a, b) => b - a),
    )
    const first = await store.audit.list({ organizationId, limit: 2 })
    const second = await store.audit.list({ organizationId, limit: 2, beforeId: first[1].id })
    assert.deepEqual([...first, ...second], all.slice(0, 4))
  },

  'lists by kind, actor, subject and time, within one organization': async ({ store, clock }) => {
    const acme = await found(store)
    const organizationId = acme.organization.id
    clock.nowMs += 10
    const ann = await join(store, acme, 'Ann')
    clock.nowMs += 10
    await store.keys.put(keyOf({ id: 'k1', organizationId }), ann)
    await found(store, 'Other')
    const kinds = async (filter: object) =>
      (await store.audit.list({ organizationId, limit: 100, ...filter })).map(({ kind }) => kind)
    assert.deepEqual(await kinds({ kind: 'key.created' }), ['key.created'])
    assert.deepEqual(await kinds({ actor: 'ANN@' }), ['key.created', 'member.joined'])
    assert.deepEqual(await kinds({ actor: '%' }), [])
    assert.deepEqual(await kinds({ actor: '_nn' }), [])
    assert.deepEqual(await kinds({ subject: 'k1' }), ['key.created'])
    assert.deepEqual(await kinds({ fromMs: HARNESS_STARTS_MS + 20 }), ['key.created'])
    assert.deepEqual(await kinds({ toMs: HARNESS_STARTS_MS + 10 }), ['organization.created'])
    assert.deepEqual(await kinds({ kind: 'key.created', actor: 'acme' }), [])
    assert.deepEqual(await store.audit.list({ organizationId: 'nothing', limit: 100 }), [])
    await store.audit.record({ kind: 'sign-in.failed', userId: ann.userId, by: { name: 'Ann' } })
    assert.equal((await kinds({ signIns: true })).length, 5)
    assert.deepEqual(await kinds({ signIns: false }), [
      'key.created',
      'member.joined',
      'invitation.created',
      'organization.created',
    ])
  },

  'finds the few matching entries of a long log, wherever they are': async ({ store }) => {
    await fillLog(store, 'org_long', 12_001)
    const all = await store.audit.list({ organizationId: 'org_long', limit: 20_000 })
    assert.equal(all.length, 12_001)
    const rare = all.filter(({ kind }) => kind === 'key.revoked')
    const find = (filter: Partial<AuditFilter>) =>
      store.audit.list({ organizationId: 'org_long', kind: 'key.revoked', limit: 10, ...filter })
    assert.deepEqual([rare.length, await find({})], [4, rare])
    for (const limit of [1, 2, 3, 4]) assert.deepEqual(await find({ limit }), rare.slice(0, limit))
    for (const at of [0, 1, 2, 3]) assert.deepEqual(await find({ beforeId: rare[at].id }), rare.slice(at + 1))
    const span = { fromMs: rare[2].atMs, toMs: rare[0].atMs }
    assert.deepEqual(await find(span), rare.slice(1, 3))
    assert.deepEqual(await find({ actor: 'nobody' }), [])
    assert.deepEqual(
      await find({ kind: 'key.created', limit: 20_000 }),
      all.filter(({ kind }) => kind !== 'key.revoked'),
    )
  },

  'rejects updates and deletes of entries, also in SQL': async ({ store }) => {
    const { organization } = await found(store)
    const before = await store.audit.list({ organizationId: organization.id, limit: 10 })
    const { queries } = store.signIn
    await assert.rejects(queries.updateTable('audit').set({ kind: 'x' }).execute(), /append-only/)
    await assert.rejects(queries.deleteFrom('audit').execute(), /append-only/)
    await assert.rejects(overwrite(store, before[0].id))
    assert.deepEqual(await store.audit.list({ organizationId: organization.id, limit: 10 }), before)
  },

  'keeps entries after their account and organization are deleted': async ({ store }) => {
    const acme = await found(store)
    const ann = await join(store, acme, 'Ann')
    await store.organizations.remove(acme.organization.id, acme.owner)
    await deletePerson(store, ann)
    const log = await logOf(store, acme.organization.id)
    assert.deepEqual(
      log.map(([kind]) => kind),
      ['organization.created', 'invitation.created', 'member.joined', 'organization.deleted'],
    )
  },

  'logs a sign-in in each organization of the person': async ({ store }) => {
    const acme = await found(store)
    const other = await found(store, 'Other')
    const ann = await join(store, acme, 'Ann')
    await store.organizations.create('Third', ann)
    const failed = { kind: 'sign-in.failed', userId: ann.userId, by: ann } as const
    await store.audit.record({ ...failed, detail: { method: 'password' } })
    const noted = async (organizationId: string) =>
      (await store.audit.list({ organizationId, kind: 'sign-in.failed', limit: 10 })).length
    assert.deepEqual([await noted(acme.organization.id), await noted(other.organization.id)], [1, 0])
    const third = await store.organizations.find('Third')
    assert.equal(await noted(third?.id ?? ''), 1)
    const [entry] = await store.audit.list({ organizationId: acme.organization.id, limit: 1 })
    assert.deepEqual([entry.subject, entry.actor, entry.detail], [ann.userId, ann, { method: 'password' }])
    const loner = await addPerson(store, 'Loner')
    await store.audit.record({ kind: 'sign-in.succeeded', userId: loner.userId, by: loner })
  },

  'logs nothing for a change that was not made': async ({ store }) => {
    const acme = await found(store)
    await found(store, 'Other')
    const organizationId = acme.organization.id
    await assert.rejects(store.organizations.rename(organizationId, 'OTHER', acme.owner))
    await store.keys.put(keyOf({ id: 'k1', organizationId }))
    await assert.rejects(store.keys.put(keyOf({ id: 'k2', organizationId, hash: 'k1'.padEnd(64, '.') }), acme.owner))
    assert.equal((await logOf(store, organizationId)).length, 1)
  },
}

/** Writes entries of the kind `key.created`, and every 4,000th of the kind `key.revoked`, an hour apart. */
async function fillLog({ signIn }: Store, organizationId: string, entries: number): Promise<void> {
  const rows = Array.from({ length: entries }, (_, n) => ({
    id: n + 1,
    at_ms: HARNESS_STARTS_MS + n * HOUR_MS,
    organization_id: organizationId,
    kind: n % 4_000 === 0 ? 'key.revoked' : 'key.created',
    actor_name: 'ann',
    actor_folded: 'ann',
    detail: '{}',
    previous_hash: '',
  }))
  for (let at = 0; at < rows.length; at += 2_000) {
    await signIn.queries
      .insertInto('audit')
      .values(rows.slice(at, at + 2_000))
      .execute()
  }
}

/** An insert that may replace a row. */
async function overwrite({ signIn }: Store, id: number): Promise<unknown> {
  const columns = sql.raw('(id, at_ms, organization_id, kind, actor_name, actor_folded, detail, previous_hash)')
  const values = sql`values (${id}, 1, 'x', 'x', 'x', 'x', '{}', 'x')`
  const put =
    signIn.type === 'sqlite'
      ? sql`insert or replace into audit ${columns} ${values}`
      : sql`insert into audit ${columns} ${values} on conflict (id) do update set kind = 'x'`
  return put.execute(signIn.queries)
}
