import { type Kysely, sql, type Updateable } from 'kysely'
import { type ApiKey, isActive } from '../../keys/key.ts'
import { defined } from '../../lib/optional.ts'
import type { KeySort } from '../../shared/key-sorts.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { KeyEdit, KeyFilter, KeyStore, RotatedKey } from '../contracts/keys.ts'
import type { PageRequest } from '../contracts/page.ts'
import { LIST_RANKS } from '../migrations/baseline-tables.ts'
import { type AuditDraft, writeAudit } from './audit.ts'
import { WRITE_ROWS_MAX, writeBatches } from './batches.ts'
import { countRows } from './count-rows.ts'
import { advance, readCounters } from './counters.ts'
import { changesOf, keyOf, keyWithState, rowOf, selectWithState } from './key-row.ts'
import { requirePermission } from './memberships.ts'
import { requireBelow, requireOrganization } from './organization-row.ts'
import { inPages } from './page.ts'
import { fromRow } from './row-mapping.ts'
import type { ApiKeyRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'
import { containsText } from './text-search.ts'

/** `KeyStore` over any database. */
export class SqlKeyStore extends SqlStore implements KeyStore {
  async put(key: ApiKey, by?: AuditActor, activeMax = Number.POSITIVE_INFINITY): Promise<void> {
    await this.database.transaction('power-cut', async ({ queries }) => {
      await requireOrganization(queries, key.organizationId)
      await requirePermission(queries, key.organizationId, by, 'keys.create')
      await requireActiveBelow(queries, key.organizationId, activeMax, this.now())
      await putKey(queries, by === undefined ? key : { createdBy: by.name, ...key })
      if (by !== undefined) await noteKey(queries, key, { atMs: this.now(), kind: 'key.created', by })
    })
  }

  async list(organizationId?: string, page?: PageRequest, filter: KeyFilter = {}): Promise<ApiKey[]> {
    const { search, isActive = false, sort = 'ended' } = filter
    let query = isActive
      ? activeKeys(this.queries, this.now()).selectAll()
      : this.queries.selectFrom('api_keys').selectAll()
    if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
    if (search !== undefined) query = query.where(containsText(['name', 'note', 'id', 'last_four'], search))
    const rows = await inPages(query, KEY_ORDERS[sort], page).execute()
    return rows.map(keyOf)
  }

  countActive(organizationId: string): Promise<number> {
    return countRows(activeKeys(this.queries, this.now()).where('organization_id', '=', organizationId))
  }

  async names(organizationId: string, ids: readonly string[]): ReturnType<KeyStore['names']> {
    const rows = await this.queries
      .selectFrom('api_keys')
      .select(['id', 'name', 'last_four'])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', this.database.sqlDialect.anyOf(ids))
      .execute()
    return rows.map(fromRow)
  }

  async find(id: string): Promise<ApiKey | undefined> {
    return findKey(this.queries, id, undefined)
  }

  async revoke(
    id: string,
    { reason, atMs, organizationId, by }: Parameters<KeyStore['revoke']>[1],
  ): Promise<ApiKey | undefined> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const key = await findKey(queries, id, organizationId)
      if (key === undefined || key.revokedAtMs !== undefined) return key
      await requirePermission(queries, key.organizationId, by, 'keys.revoke')
      if (by !== undefined) {
        const detail = defined({ reason })
        await noteKey(queries, key, { atMs: this.now(), kind: 'key.revoked', by, detail })
      }
      return updateKey(queries, id, { revoked_at_ms: atMs, revoked_reason: reason ?? null })
    })
  }

  async edit(
    { id, organizationId }: Parameters<KeyStore['edit']>[0],
    edit: KeyEdit,
    by: AuditActor,
  ): Promise<ApiKey | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const key = await findKey(queries, id, organizationId)
      if (key === undefined || !isActive(key, nowMs)) return undefined
      await requirePermission(queries, organizationId, by, 'keys.edit')
      const { changes, detail } = changesOf(key, edit)
      if (Object.keys(changes).length === 0) return key
      await noteKey(queries, key, { atMs: nowMs, kind: 'key.edited', by, detail })
      return updateKey(queries, id, changes)
    })
  }

  async rotate(
    { id, organizationId, untilMs }: Parameters<KeyStore['rotate']>[0],
    next: ApiKey,
    by: AuditActor,
    activeMax = Number.POSITIVE_INFINITY,
  ): Promise<RotatedKey | undefined> {
    const nowMs = this.now()
    return this.database.transaction('power-cut', async ({ queries }) => {
      const old = await findKey(queries, id, organizationId)
      if (old === undefined || !isActive(old, nowMs) || old.replacedBy !== undefined) return undefined
      await requirePermission(queries, organizationId, by, 'keys.rotate')
      if (untilMs > nowMs) await requireActiveBelow(queries, organizationId, activeMax, nowMs)
      const { name, note, networks } = old
      const key = await putKey(queries, {
        createdBy: by.name,
        ...next,
        organizationId,
        name,
        ...defined({ note, networks }),
      })
      const endMs = Math.max(nowMs, Math.min(untilMs, old.expiresAtMs ?? untilMs))
      const end = endMs <= nowMs ? { revoked_at_ms: nowMs, revoked_reason: ROTATED } : { expires_at_ms: endMs }
      const rotated = await updateKey(queries, id, { ...end, replaced_by: key.id })
      const entry = { atMs: nowMs, by }
      await noteKey(queries, old, {
        ...entry,
        kind: 'key.rotated',
        detail: { next: key.id, nextLastFour: key.lastFour, untilMs: endMs },
      })
      await noteKey(queries, key, { ...entry, kind: 'key.created', detail: { replaces: id } })
      return { key, old: rotated }
    })
  }

  async changedSince(revision: number): Promise<{ keys: ApiKey[]; revision: number }> {
    // The counter first: a key that changes in between is then returned twice, and never missed.
    const { keys: current } = await readCounters(this.queries, ['keys'])
    const rows = await selectWithState(this.queries)
      .where('api_keys.revision', '>', revision)
      .orderBy('api_keys.revision')
      .execute()
    return { keys: rows.map(keyWithState), revision: current }
  }

  deleteEnded(beforeMs: number): Promise<number> {
    return writeBatches(this.database, async ({ queries }) => {
      const rows = await endedKeys(queries, beforeMs).execute()
      const ids = this.database.sqlDialect.anyOf(rows.map(({ id }) => id))
      await queries.deleteFrom('key_addresses').where('key_id', 'in', ids).execute()
      await queries.deleteFrom('api_keys').where('id', 'in', ids).execute()
      return rows.length
    })
  }
}

/** The revocation reason of a key that was rotated without a grace period. */
const ROTATED = 'rotated'

/** The revocation reason of a key whose organization was deleted. */
const ORGANIZATION_DELETED = 'organization deleted'

/** Revokes all active keys of an organization, in the transaction that deletes it. Returns them after the change. */
export async function revokeAllKeys(queries: Kysely<Schema>, organizationId: string, atMs: number): Promise<ApiKey[]> {
  const rows = await queries
    .updateTable('api_keys')
    .set({
      revoked_at_ms: atMs,
      revoked_reason: ORGANIZATION_DELETED,
      revision: await advance(queries, 'keys'),
    })
    .where('organization_id', '=', organizationId)
    .where('revoked_at_ms', 'is', null)
    .where(KEY_END, '>', atMs)
    .returningAll()
    .execute()
  return rows.map(keyOf)
}

/** Gives the keys of an organization that was suspended or resumed a new revision, in the same transaction. Returns them. */
export async function announceKeys(
  queries: Kysely<Schema>,
  organizationId: string,
  revision: number,
): Promise<ApiKey[]> {
  await queries
    .updateTable('api_keys')
    .set({ revision })
    .where('organization_id', '=', organizationId)
    .where('revoked_at_ms', 'is', null)
    .execute()
  const rows = await selectWithState(queries)
    .where('api_keys.organization_id', '=', organizationId)
    .where('api_keys.revoked_at_ms', 'is', null)
    .execute()
  return rows.map(keyWithState)
}

async function requireActiveBelow(
  queries: Kysely<Schema>,
  organizationId: string,
  activeMax: number,
  nowMs: number,
): Promise<void> {
  if (activeMax === Number.POSITIVE_INFINITY) return
  await requireBelow(activeMax, activeKeys(queries, nowMs).where('organization_id', '=', organizationId), 'active key')
}

/** The keys that callers may use at a time. */
export function activeKeys(queries: Kysely<Schema>, nowMs: number) {
  return queries.selectFrom('api_keys').where('revoked_at_ms', 'is', null).where(KEY_END, '>', nowMs)
}

const KEY_END = sql<number>`${sql.raw(LIST_RANKS.api_keys)}`

const KEY_ORDER = { rank: LIST_RANKS.api_keys, time: 'created_at_ms', id: 'id', direction: 'desc' } as const
const BY_USE = { ...KEY_ORDER, rank: 'coalesce(last_used_at_ms, 0)' } as const

/** An organization has few keys: only the default order has an index. */
const KEY_ORDERS = {
  ended: KEY_ORDER,
  used: BY_USE,
  unused: { ...BY_USE, direction: 'asc' },
} as const satisfies Record<KeySort, object>

/** One batch of the keys that ended before a time and have no usage. */
function endedKeys(queries: Kysely<Schema>, beforeMs: number) {
  const usage = queries
    .selectFrom('usage_hours')
    .select('key_id')
    .where('usage_hours.key_id', '=', sql.ref<string>('api_keys.id'))
  return queries
    .selectFrom('api_keys')
    .select('id')
    .where(KEY_END, '<', beforeMs)
    .where(({ not, exists }) => not(exists(usage)))
    .limit(WRITE_ROWS_MAX)
}

async function findKey(
  queries: Kysely<Schema>,
  id: string,
  organizationId: string | undefined,
): Promise<ApiKey | undefined> {
  let query = queries.selectFrom('api_keys').selectAll().where('id', '=', id)
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
  const row = await query.executeTakeFirst()
  return row && keyOf(row)
}

/** Returns the key as stored. */
async function putKey(queries: Kysely<Schema>, key: ApiKey): Promise<ApiKey> {
  const revision = await advance(queries, 'keys')
  const { id, ...rest } = rowOf(key, revision)
  await queries
    .insertInto('api_keys')
    .values({ id, ...rest })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute()
  return { ...key, revision }
}

async function updateKey(queries: Kysely<Schema>, id: string, changes: Updateable<ApiKeyRow>): Promise<ApiKey> {
  const row = await queries
    .updateTable('api_keys')
    .set({ ...changes, revision: await advance(queries, 'keys') })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return keyOf(row)
}

function noteKey(
  queries: Kysely<Schema>,
  key: ApiKey,
  what: Pick<AuditDraft, 'atMs' | 'kind' | 'by' | 'detail'>,
): Promise<void> {
  return writeAudit(queries, {
    ...what,
    organizationId: key.organizationId,
    subject: key.id,
    detail: { name: key.name, lastFour: key.lastFour, ...what.detail },
  })
}
