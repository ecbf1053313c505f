import { HEALTH_EVENTS_MAX, type HealthEvent, type HealthLog } from '../contracts/source-watch.ts'
import { deleteBeyondNewest } from './batches.ts'
import { advance } from './counters.ts'
import { fromRow } from './row-mapping.ts'
import { SqlStore } from './sql-store.ts'

const KEPT = { table: 'health_events', id: 'id', keep: HEALTH_EVENTS_MAX } as const

/** `HealthLog` over any database. */
export class SqlHealthLog extends SqlStore implements HealthLog {
  async record(sourceId: number, change: Omit<HealthEvent, 'id' | 'slug'>): Promise<boolean> {
    return this.database.transaction('power-cut', async ({ queries }) => {
      const { numUpdatedRows } = await queries
        .updateTable('sources')
        .set({ health: change.to, health_since_ms: change.atMs })
        .where('id', '=', sourceId)
        .where('health', '=', change.from)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const id = await advance(queries, 'event_ids')
      await queries
        .insertInto('health_events')
        .values({
          id,
          source_id: sourceId,
          at_ms: change.atMs,
          previous_health: change.from,
          health: change.to,
          reason: change.why,
        })
        .execute()
      await deleteBeyondNewest(queries, KEPT, { source_id: sourceId })
      return true
    })
  }

  async after(id: number, limit: number): Promise<HealthEvent[]> {
    const rows = await this.#events().where('health_events.id', '>', id).orderBy('id').limit(limit).execute()
    return rows.map(fromRow)
  }

  async ofSource(sourceId: number): Promise<HealthEvent[]> {
    const rows = await this.#events()
      .where('source_id', '=', sourceId)
      .orderBy('id', 'desc')
      .limit(HEALTH_EVENTS_MAX)
      .execute()
    return rows.map(fromRow)
  }

  #events() {
    return this.queries
      .selectFrom('health_events')
      .innerJoin('sources', 'sources.id', 'health_events.source_id')
      .select([
        'health_events.id as id',
        'slug',
        'previous_health as from',
        'health_events.health as to',
        'reason as why',
        'at_ms',
      ])
  }
}
