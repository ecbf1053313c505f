import type { SnapshotStore, SnapshotWriter } from '../contracts/snapshots.ts'
import type { SourceState } from '../contracts/sources.ts'
import { LeaseLost } from '../contracts/store.ts'
import { endAbandonedSync, openSyncs } from './abandoned-syncs.ts'
import { advance } from './counters.ts'
import { extendLease, type Lease, settleLease } from './lease.ts'
import { SqlSnapshotWriter } from './snapshot-writer.ts'
import { sourceOf } from './source-row.ts'
import { SqlStore } from './sql-store.ts'

/** `SnapshotStore` over any database. */
export class SqlSnapshotStore extends SqlStore implements SnapshotStore {
  async begin(
    sourceId: number,
    { owner, leaseMs }: { owner: string; leaseMs: number },
  ): Promise<SnapshotWriter | undefined> {
    const begun = await this.#take(sourceId, owner, leaseMs)
    if (begun === undefined) return undefined
    await this.#undoAbandoned(begun.lease)
    return new SqlSnapshotWriter(this.database, this.now, begun)
  }

  /** An earlier holder finds another fencing token (`sync_id`) at its next write, even with the same owner. */
  async #take(
    sourceId: number,
    owner: string,
    leaseMs: number,
  ): Promise<{ lease: Lease; source: SourceState } | undefined> {
    const nowMs = this.now()
    return this.database.transaction('kill', async ({ queries }) => {
      const row = await queries.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst()
      if (row === undefined) {
        throw new LeaseLost(`Cannot begin a sync: source ${sourceId} does not exist`)
      }
      if (row.lease_owner !== null && row.lease_owner !== owner && row.lease_until_ms > nowMs) return undefined
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
      return { lease: { sourceId, syncId, owner, leaseMs, untilMs: [untilMs] }, source: sourceOf(row) }
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
