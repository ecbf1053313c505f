import type { Kysely, Updateable } from 'kysely'
import { type ApiKey, isActive } from '../../keys/key.ts'
import type { AuditActor } from '../contracts/audit.ts'
import type { KeyStore, RotatedKey } from '../contracts/keys.ts'
import { type AuditDraft, writeAudit } from './audit.ts'
import { advance, readCounters } from './counters.ts'
import { requirePermission } from './memberships.ts'
import { requireBelow, requireOrganization } from './organization-row.ts'
import { fromRow } from './row-mapping.ts'
import type { ApiKeyRow, Schema } from './schema.ts'
import { SqlStore } from './sql-store.ts'

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

  list(organizationId?: string): Promise<ApiKey[]> {
    return listKeys(this.queries, organizationId)
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
        const detail = reason === undefined ? {} : { reason }
        await noteKey(queries, key, { atMs: this.now(), kind: 'key.revoked', by, detail })
      }
      return updateKey(queries, id, { revoked_at_ms: atMs, revoked_reason: reason ?? null })
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
      const key = { createdBy: by.name, ...next, organizationId }
      await putKey(queries, key)
      const end =
        untilMs <= nowMs
          ? { revoked_at_ms: nowMs, revoked_reason: ROTATED }
          : { expires_at_ms: Math.min(untilMs, old.expiresAtMs ?? untilMs) }
      const rotated = await updateKey(queries, id, { ...end, replaced_by: key.id })
      const entry = { atMs: nowMs, by }
      await noteKey(queries, old, {
        ...entry,
        kind: 'key.rotated',
        detail: { next: key.id, nextLastFour: key.lastFour, untilMs: Math.max(untilMs, nowMs) },
      })
      await noteKey(queries, key, { ...entry, kind: 'key.created', detail: { replaces: id } })
      return { key, old: rotated }
    })
  }

  async changedSince(revision: number): Promise<{ keys: ApiKey[]; revision: number }> {
    // The counter first: a key that changes in between is then returned twice, and never missed.
    const { keys: current } = await readCounters(this.queries, ['keys'])
    const rows = await this.queries
      .selectFrom('api_keys')
      .selectAll()
      .where('revision', '>', revision)
      .orderBy('revision')
      .execute()
    return { keys: rows.map(keyOf), revision: current }
  }
}

/** The revocation reason of a key that was rotated without a grace period. */
const ROTATED = 'rotated'

/** The revocation reason of a key whose organization was deleted. */
const ORGANIZATION_DELETED = 'organization deleted'

/** Revokes all active keys of an organization, in the transaction that deletes it. Returns all its keys after that, newest first. */
export async function revokeAllKeys(queries: Kysely<Schema>, organizationId: string, atMs: number): Promise<ApiKey[]> {
  await queries
    .updateTable('api_keys')
    .set({
      revoked_at_ms: atMs,
      revoked_reason: ORGANIZATION_DELETED,
      revision: await advance(queries, 'keys'),
    })
    .where('organization_id', '=', organizationId)
    .where('revoked_at_ms', 'is', null)
    .execute()
  return listKeys(queries, organizationId)
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
  return queries
    .selectFrom('api_keys')
    .where('revoked_at_ms', 'is', null)
    .where((key) => key.or([key('expires_at_ms', 'is', null), key('expires_at_ms', '>', nowMs)]))
}

/** Newest first; of all organizations if none is named. */
async function listKeys(queries: Kysely<Schema>, organizationId: string | undefined): Promise<ApiKey[]> {
  let query = queries.selectFrom('api_keys').selectAll()
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
  const rows = await query.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').execute()
  return rows.map(keyOf)
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

async function putKey(queries: Kysely<Schema>, key: ApiKey): Promise<void> {
  const { id, ...rest } = rowOf(key, await advance(queries, 'keys'))
  await queries
    .insertInto('api_keys')
    .values({ id, ...rest })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute()
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

function rowOf(key: ApiKey, revision: number): ApiKeyRow {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    hash: key.hash,
    last_four: key.lastFour,
    created_at_ms: key.createdAtMs,
    created_by: key.createdBy ?? null,
    replaced_by: key.replacedBy ?? null,
    expires_at_ms: key.expiresAtMs ?? null,
    revoked_at_ms: key.revokedAtMs ?? null,
    revoked_reason: key.revokedReason ?? null,
    last_used_at_ms: key.lastUsedAtMs ?? null,
    revision,
  }
}

function keyOf({ revision: _, ...row }: ApiKeyRow): ApiKey {
  return fromRow(row)
}
