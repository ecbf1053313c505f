import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
import { LeaseLost } from './store.ts'

/** Whose turn it is to write a source: the owner, and the sync begun under the lease. */
export interface Lease {
  readonly sourceId: number
  readonly syncId: number
  readonly owner: string
  readonly leaseMs: number
}

/** Extends the lease, inside the transaction that relies on it. Throws `LeaseLost` if the source or the lease is gone. */
export async function extendLease(queries: Kysely<Schema>, lease: Lease, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('sources')
    .set({ lease_until_ms: nowMs + lease.leaseMs })
    .where('id', '=', lease.sourceId)
    .where('sync_id', '=', lease.syncId)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw leaseLost(lease)
}

/** Throws `LeaseLost` if the source or the lease is gone by now: what was read before was then perhaps not all. */
export async function checkLease(queries: Kysely<Schema>, lease: Lease): Promise<void> {
  const held = await queries
    .selectFrom('sources')
    .select('id')
    .where('id', '=', lease.sourceId)
    .where('sync_id', '=', lease.syncId)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirst()
  if (held === undefined) throw leaseLost(lease)
}

function leaseLost(lease: Lease): LeaseLost {
  return new LeaseLost(
    `Cannot go on with sync ${lease.syncId}: source ${lease.sourceId} must exist and be leased to it: got another state`,
  )
}
