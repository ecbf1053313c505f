import { type SqlBool, sql } from 'kysely'
import { INDEXED_PART } from '../../slot/ids.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { StoredSlot } from '../contracts/snapshots.ts'
import type { Database, Reader, ReadTransaction, SyncOfSource } from './database.ts'
import { GrowingColumns, type RowColumns } from './row-columns.ts'
import { tagOf } from './stored-ids.ts'

/** Reads the snapshot before a sync, of about `expected` rows, ignoring what the sync wrote. */
export async function readStoredRows(
  reading: ReadTransaction,
  of: SyncOfSource,
  expected: number,
): Promise<RowColumns> {
  const columns = new GrowingColumns(expected)
  const visible = storedRowsQuery(reading, of).where('deleted_sync', 'is', null).where('source_id', '=', of.sourceId)
  const deletedBySync = storedRowsQuery(reading, of).where('deleted_sync', '=', of.syncId)
  for (const query of [visible, deletedBySync]) {
    for await (const rows of reading.batches(query)) {
      for (const row of rows) {
        const [key, fingerprint, part, end, id] = row as [number, number, number, number, string]
        columns.push(key, fingerprint, part, end, tagOf(id))
      }
    }
  }
  return columns.byKey()
}

/**
 * The rows of these keys that are visible to the sync, drafts included; all must be of its source.
 *
 * Deleted versions are filtered here, not in SQL: without statistics, PostgreSQL would prefer the index on visible versions to the key.
 */
export async function findRows(database: Database, keys: readonly number[], syncId: number): Promise<StoredSlot[]> {
  if (keys.length === 0) return []
  const query = storedSlots(database).where('key', 'in', database.sqlDialect.anyOf(keys))
  return visibleSlots(await database.read.arrays(query.compile()), syncId)
}

/** The rows with these ids and `INDEXED_PART` that are visible to the sync, drafts included. */
export async function findIndexedRows(
  database: Database,
  ids: readonly string[],
  { sourceId, syncId }: SyncOfSource,
): Promise<StoredSlot[]> {
  const query = storedSlots(database)
    .where(database.sqlDialect.isAnyOf('id', ids))
    .where(sql<SqlBool>`(${sql.raw(IS_INDEXED)})`)
    .where('source_id', '=', sourceId)
  return visibleSlots(await database.read.arrays(query.compile()), syncId)
}

/** The condition of the index on ids, which a query must repeat word by word. */
export const IS_INDEXED = `part = ${INDEXED_PART} or next_part = ${INDEXED_PART}`

function storedSlots(database: Database) {
  return database.read.queries
    .selectFrom('slots')
    .select(['key', 'id', 'offering_id', 'status', 'json'])
    .select((expression) => [
      expression.fn.coalesce('next_part', 'part').as('part'),
      expression.fn.coalesce('next_fingerprint', 'fingerprint').as('fingerprint'),
      'inserted_sync',
      'deleted_sync',
      'replaces',
    ])
}

function visibleSlots(rows: ReadonlyArray<readonly unknown[]>, syncId: number): StoredSlot[] {
  return rows.filter(isVisible).map((row) => {
    const [key, id, offeringId, status, json, part, fingerprint, insertedSync, , replaces] = row as StoredSlotRow
    const drafted = insertedSync === syncId
    return {
      key,
      id,
      offeringId,
      status: SLOT_STATUSES[status],
      json,
      part,
      fingerprint,
      drafted,
      ...(drafted && replaces !== null && { replaces }),
    }
  })
}

type StoredSlotRow = [...[number, string, number, number, string, number, number, number], number | null, number | null]

const isVisible = (row: readonly unknown[]) => row[8] === null

/** A row's position is that of the last committed sync; moves of this sync are ignored. */
function storedRowsQuery(reader: Reader, of: SyncOfSource) {
  return reader.queries
    .selectFrom('slots')
    .select([
      'key',
      sql<number>`case when moved_sync <> ${of.syncId} then next_fingerprint else fingerprint end`.as(
        'stored_fingerprint',
      ),
      sql<number>`case when moved_sync <> ${of.syncId} then next_part else part end`.as('stored_part'),
      // Seconds: the runtime allocates larger numbers one by one.
      sql<number>`(end_ms + 999) / 1000`.as('end_seconds'),
      'id',
    ])
    .where('inserted_sync', '<>', of.syncId)
}
