import type { Selectable } from 'kysely'
import type { ApiKey } from '../keys/key.ts'
import { advance, readCounters } from './counters.ts'
import type { Database } from './database.ts'
import type { ApiKeysTable } from './schema.ts'
import type { KeyStore } from './store.ts'

/** `KeyStore` over any database: see `store.ts`. */
export class SqlKeyStore implements KeyStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async put(key: ApiKey): Promise<void> {
    await this.#database.transaction('power-cut', async ({ queries }) => {
      const { id, ...rest } = rowOf(key, await advance(queries, 'keys'))
      await queries
        .insertInto('api_keys')
        .values({ id, ...rest })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
        .execute()
    })
  }

  async list(organizationId?: string): Promise<ApiKey[]> {
    let query = this.#database.read.queries.selectFrom('api_keys').selectAll()
    if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
    const rows = await query.orderBy('created_at_ms', 'desc').orderBy('id', 'desc').execute()
    return rows.map(keyOf)
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const row = await this.#database.read.queries
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? undefined : keyOf(row)
  }

  async revoke(id: string, reason: string | undefined, atMs: number): Promise<ApiKey | undefined> {
    await this.#database.transaction('power-cut', async ({ queries }) => {
      const live = await queries
        .updateTable('api_keys')
        .set({ revoked_at_ms: atMs, revoked_reason: reason ?? null })
        .where('id', '=', id)
        .where('revoked_at_ms', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (live === undefined) return
      const revision = await advance(queries, 'keys')
      await queries.updateTable('api_keys').set({ revision }).where('id', '=', id).execute()
    })
    return this.find(id)
  }

  async changedSince(revision: number): Promise<{ keys: ApiKey[]; revision: number }> {
    // The counter first: a key that changes in between is then returned twice, and never missed.
    const { keys: current } = await readCounters(this.#database.read.queries, ['keys'])
    const rows = await this.#database.read.queries
      .selectFrom('api_keys')
      .selectAll()
      .where('revision', '>', revision)
      .orderBy('revision')
      .execute()
    return { keys: rows.map(keyOf), revision: current }
  }

  async putLastUsed(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return
    await this.#database.transaction('kill', ({ bulk }) => bulk.putLastUsed(uses))
  }
}

function rowOf(key: ApiKey, revision: number): ApiKeysTable {
  return {
    id: key.id,
    organization_id: key.organizationId,
    name: key.name,
    hash: key.hash,
    last_four: key.lastFour,
    created_at_ms: key.createdAtMs,
    expires_at_ms: key.expiresAtMs ?? null,
    revoked_at_ms: key.revokedAtMs ?? null,
    revoked_reason: key.revokedReason ?? null,
    last_used_at_ms: key.lastUsedAtMs ?? null,
    revision,
  }
}

function keyOf(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    hash: row.hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
    ...(row.expires_at_ms !== null && { expiresAtMs: row.expires_at_ms }),
    ...(row.revoked_at_ms !== null && { revokedAtMs: row.revoked_at_ms }),
    ...(row.revoked_reason !== null && { revokedReason: row.revoked_reason }),
    ...(row.last_used_at_ms !== null && { lastUsedAtMs: row.last_used_at_ms }),
  }
}
