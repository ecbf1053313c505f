import type { Kysely, Updateable } from 'kysely'
import { WRITE_ROWS_MAX, writeBatches } from './batches.ts'
import type { Database, Writer } from './database.ts'
import type { Schema, SlotRow } from './schema.ts'

/** How each of a sync's marks on `slots` is undone: by deleting the row, or by these values. */
const UNDONE = {
  inserted_sync: 'delete',
  deleted_sync: { deleted_sync: null },
  moved_sync: { moved_sync: null, next_part: null, next_fingerprint: null },
} as const satisfies { [Mark in keyof SlotRow]?: 'delete' | Updateable<SlotRow> }

/**
 * Undoes what an open sync wrote to `slots`, in short transactions. Its row in `syncs` keeps the rest invisible; the caller deletes it at
 * the end. Returns the number of rows undone.
 *
 * `before` runs first in each transaction: to extend a lease, or to throw when it is lost.
 */
export async function undoSync(
  database: Database,
  syncId: number,
  before: (writer: Writer) => Promise<void>,
): Promise<number> {
  let rows = 0
  for (const mark of ['inserted_sync', 'deleted_sync', 'moved_sync'] as const) {
    rows += await writeBatches(database, async (writer) => {
      await before(writer)
      return undoMarked(writer.queries, mark, syncId)
    })
  }
  return rows
}

/** Undoes an abandoned sync completely. Returns the number of rows undone. */
export async function endAbandonedSync(
  database: Database,
  syncId: number,
  before: (writer: Writer) => Promise<void> = async () => undefined,
): Promise<number> {
  const rows = await undoSync(database, syncId, before)
  await database.transaction('kill', ({ queries }) => queries.deleteFrom('syncs').where('id', '=', syncId).execute())
  return rows
}

/** The ids of open syncs, of one source or of all. */
export async function openSyncs(queries: Kysely<Schema>, sourceId?: number): Promise<number[]> {
  let query = queries.selectFrom('syncs').select('id').where('revision', 'is', null)
  if (sourceId !== undefined) query = query.where('source_id', '=', sourceId)
  const rows = await query.execute()
  return rows.map((row) => row.id)
}

async function undoMarked(queries: Kysely<Schema>, mark: keyof typeof UNDONE, syncId: number): Promise<number> {
  const batch = queries.selectFrom('slots').select('key').where(mark, '=', syncId).limit(WRITE_ROWS_MAX)
  const undone = UNDONE[mark]
  if (undone === 'delete') {
    const { numDeletedRows } = await queries.deleteFrom('slots').where('key', 'in', batch).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
  const { numUpdatedRows } = await queries
    .updateTable('slots')
    .set(undone)
    .where('key', 'in', batch)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
