import type { LeaseRequest, SnapshotStore, SnapshotWriter } from '../contracts/snapshots.ts'
import { LeaseLost } from '../contracts/store.ts'
import { endAbandonedSync, openSyncs } from './abandoned-syncs.ts'
import { advance } from './counters.ts'
import { extendLease, isLeaseHeld, type Lease, settleLease } from './lease.ts'
import { type BegunSync, SqlSnapshotWriter } from './snapshot-writer.ts'
import { sourceOf } from './source-row.ts'
import { SqlStore } from './sql-store.ts'

/** `SnapshotStore` over any database. */
export class SqlSnapshotStore extends SqlStore implements SnapshotStore {
  async begin(sourceId: number, request: LeaseRequest): Promise<SnapshotWriter | undefined> {
    const begun = await this.#take(sourceId, request)
    if (begun === undefined) return undefined
    await this.#undoAbandoned(begun.lease)
    return new SqlSnapshotWriter(this.database, this.now, begun)
  }

  /** An earlier holder finds another fencing token (`sync_id`) at its next write, even with the same owner. */
  async #take(sourceId: number, { owner, leaseMs, resume }: LeaseRequest): Promise<BegunSync | undefined> {
    return this.database.transaction('kill', async ({ queries }) => {
      const nowMs = this.now()
      const row = await queries.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst()
      if (row === undefined) {
        throw new LeaseLost(`Cannot begin a sync: source ${sourceId} does not exist`)
      }
      const isOther = row.lease_owner !== null && row.lease_owner !== owner
      if (isOther && isLeaseHeld(row.lease_until_ms, nowMs)) return undefined
      if (resume && row.lease_owner !== owner) return undefined
      const syncId = await advance(queries, 'sync_ids')
      const untilMs = nowMs + leaseMs
      await queries
        .insertInto('syncs')
        .values({ id: syncId, source_id: sourceId, removal: 0, deleted_rows: 0 })
        .execute()
      await queries
        .updateTable('sources')
        .set({ sync_id: syncId, lease_owner: owner, lease_until_ms: untilMs })
        .where('id', '=', sourceId)
        .execute()
      const lease = { sourceId, syncId, owner, leaseMs, untilMs: [untilMs] }
      return { lease, source: sourceOf(row), followsCrash: isOther, resourceSet: row.resource_set ?? undefined }
    })
  }

  async #undoAbandoned(lease: Lease): Promise<void> {
    const open = await openSyncs(this.queries, lease.sourceId)
    for (const syncId of open) {
      if (syncId === lease.syncId) continue
      await endAbandonedSync(this.database, syncId, ({ queries }) => extendLease(queries, lease, this.now()))
    }
    settleLease(lease)
  }
}
