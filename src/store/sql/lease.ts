import type { Kysely } from 'kysely'
import { LeaseLost } from '../contracts/store.ts'
import type { Schema } from './schema.ts'

/** Whose turn it is to write a source: the owner, and the sync begun under the lease. */
export interface Lease {
  readonly sourceId: number
  readonly syncId: number
  readonly owner: string
  readonly leaseMs: number
  /**
   * Until when the source is leased as far as its owner knows: what was committed last, and what was tried since, of which nobody
   * knows whether it was. A sync's writes do not wait for the disk, so a database that crashed, or whose standby took over,
   * may have lost the newest of them, and only ever the newest: then it says an earlier time than any of these.
   */
  untilMs: readonly number[]
}

/**
 * Extends the lease, inside the transaction that relies on it; to be followed by `settleLease` when that is committed.
 * Throws `LeaseLost` if the source or the lease is gone, or what was committed under it.
 */
export async function extendLease(queries: Kysely<Schema>, lease: Lease, nowMs: number): Promise<void> {
  const known = lease.untilMs
  // Each another one, so that it tells which was the last.
  const untilMs = Math.max(nowMs + lease.leaseMs, ...known.map((each) => each + 1))
  lease.untilMs = [...known, untilMs]
  const { numUpdatedRows } = await queries
    .updateTable('sources')
    .set({ lease_until_ms: untilMs })
    .where('id', '=', lease.sourceId)
    .where('sync_id', '=', lease.syncId)
    .where('lease_owner', '=', lease.owner)
    .where('lease_until_ms', 'in', known)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw leaseLost(lease)
}

/** The transaction that extended the lease last was committed. */
export function settleLease(lease: Lease): void {
  lease.untilMs = lease.untilMs.slice(-1)
}

/** Throws `LeaseLost` if the source or the lease is gone by now: what was read before was then perhaps not all. */
export async function checkLease(queries: Kysely<Schema>, lease: Lease): Promise<void> {
  await readLease(queries, lease)
}

/** Takes the lease as it stands in the database, whatever was lost: to end what cannot go on. Throws `LeaseLost` if there is none. */
export async function recallLease(queries: Kysely<Schema>, lease: Lease): Promise<void> {
  lease.untilMs = [await readLease(queries, lease)]
}

async function readLease(queries: Kysely<Schema>, lease: Lease): Promise<number> {
  const held = await queries
    .selectFrom('sources')
    .select('lease_until_ms')
    .where('id', '=', lease.sourceId)
    .where('sync_id', '=', lease.syncId)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirst()
  if (held === undefined) throw leaseLost(lease)
  return held.lease_until_ms
}

function leaseLost(lease: Lease): LeaseLost {
  return new LeaseLost(
    `Cannot go on with sync ${lease.syncId}: source ${lease.sourceId} must exist, be leased to it, and hold what it wrote: got another state`,
  )
}
