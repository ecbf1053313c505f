import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../lib/time.ts'
import { LeaseLost } from '../contracts/store.ts'
import type { Schema } from './schema.ts'

/** No lease of any kind lasts longer: one that seems to was taken by a clock that was ahead, and its owner may be gone. */
export const LEASE_MS_MAX = HOUR_MS

/** Whether a lease until a time is held, also if its owner is gone. */
export function isLeaseHeld(untilMs: number, nowMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + LEASE_MS_MAX
}

/** A lease on a source; the sync id is its fencing token. */
export interface Lease {
  readonly sourceId: number
  readonly syncId: number
  readonly owner: string
  readonly leaseMs: number
  /**
   * Expiry times that the database may hold: the last committed one, and later attempts with an unknown outcome. A sync's writes do not
   * wait for the disk, so a crash or failover may lose the newest of them: the stored time is then earlier than any of these.
   */
  untilMs: readonly number[]
}

/**
 * Extends the lease inside the transaction that relies on it; call `settleLease` after the commit.
 * Throws `LeaseLost` if the source or the lease is gone, or what was committed under it.
 */
export async function extendLease(queries: Kysely<Schema>, lease: Lease, nowMs: number): Promise<void> {
  const known = lease.untilMs
  // Unique per extension, so that it identifies the last one.
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

/** Records that the last extension was committed. */
export function settleLease(lease: Lease): void {
  lease.untilMs = lease.untilMs.slice(-1)
}

/** Throws `LeaseLost` if the source or the lease is gone: earlier reads may be incomplete then. */
export async function checkLease(queries: Kysely<Schema>, lease: Lease): Promise<void> {
  await readLease(queries, lease)
}

/** Adopts the stored lease, also after lost writes, to end the sync. Throws `LeaseLost` if it is gone. */
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
    `Cannot continue sync ${lease.syncId}: source ${lease.sourceId} was paused, edited or removed, its approval was withdrawn or its hold policy changed, another sync holds its lease, or the database lost its last writes`,
  )
}
