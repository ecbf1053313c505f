import type { Kysely } from 'kysely'
import { WRITE_ROWS_MAX, writeBatches } from './batches.ts'
import type { Database, Writer } from './database.ts'
import type { Schema } from './schema.ts'

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
  for (const undo of [deleteInserted, restoreDeleted, forgetMoved]) {
    rows += await writeBatches(database, async (writer) => {
      await before(writer)
      return Number(await undo(writer.queries, syncId))
    })
  }
  return rows
}

/** The ids of open syncs, of one source or of all. */
export async function openSyncs(queries: Kysely<Schema>, sourceId?: number): Promise<number[]> {
  let query = queries.selectFrom('syncs').select('id').where('revision', 'is', null)
  if (sourceId !== undefined) query = query.where('source_id', '=', sourceId)
  const rows = await query.execute()
  return rows.map((row) => row.id)
}

async function deleteInserted(queries: Kysely<Schema>, syncId: number): Promise<bigint> {
  const piece = queries.selectFrom('slots').select('key').where('inserted_sync', '=', syncId).limit(WRITE_ROWS_MAX)
  const done = await queries.deleteFrom('slots').where('key', 'in', piece).executeTakeFirstOrThrow()
  return done.numDeletedRows
}

async function restoreDeleted(queries: Kysely<Schema>, syncId: number): Promise<bigint> {
  const piece = queries.selectFrom('slots').select('key').where('deleted_sync', '=', syncId).limit(WRITE_ROWS_MAX)
  const done = await queries
    .updateTable('slots')
    .set({ deleted_sync: null })
    .where('key', 'in', piece)
    .executeTakeFirstOrThrow()
  return done.numUpdatedRows
}

async function forgetMoved(queries: Kysely<Schema>, syncId: number): Promise<bigint> {
  const piece = queries.selectFrom('slots').select('key').where('moved_sync', '=', syncId).limit(WRITE_ROWS_MAX)
  const done = await queries
    .updateTable('slots')
    .set({ moved_sync: null, next_part: null, next_fingerprint: null })
    .where('key', 'in', piece)
    .executeTakeFirstOrThrow()
  return done.numUpdatedRows
}
