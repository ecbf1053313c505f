import { READ_ROWS_MAX } from './batches.ts'
import type { ReadTransaction, SlotGroup, SqlDialect } from './database.ts'

interface VisibleSlots {
  readonly sourceId: number
  /** Ids of syncs that are not committed for the reader. */
  readonly open: ReadonlySet<number>
}

/** The ids of the offerings of visible slots of a source that is not removed, in batches. */
export async function* readUsedOfferings(
  reading: ReadTransaction,
  sqlDialect: SqlDialect,
  { sourceId, open }: VisibleSlots,
): AsyncGenerator<number[]> {
  const slots = reading.queries.selectFrom('slots').select(['key', 'offering_id', 'inserted_sync'])
  const own = await reading.queries.selectFrom('syncs').select('id').where('source_id', '=', sourceId).execute()
  const deleting = own.filter(({ id }) => open.has(id)).map(({ id }): SlotGroup => ['deleted_sync', id])
  for (const group of [['source_id', sourceId] as const, ...deleting]) {
    const ofGroup = group[0] === 'source_id' ? slots.where('deleted_sync', 'is', null) : slots
    for (let after = 0, read = READ_ROWS_MAX; read === READ_ROWS_MAX; ) {
      const query = ofGroup
        .where(sqlDialect.inGroup(group, after))
        .orderBy(group[0])
        .orderBy('key')
        .limit(READ_ROWS_MAX)
      const rows = await reading.arrays(query.compile())
      yield rows.filter((row) => !open.has(Number(row[2]))).map((row) => Number(row[1]))
      read = rows.length
      after = Number(rows.at(-1)?.[0])
    }
  }
}
