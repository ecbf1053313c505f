import { sql } from 'kysely'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { StoredRows, StoredSlot } from '../contracts/snapshots.ts'
import { READ_ROWS_MAX } from './chunks.ts'
import type { Database, Reader, ReadTransaction, SlotsQuery, SyncOfSource } from './database.ts'
import type { StoredIds } from './stored-ids.ts'

/** Reads the snapshot before a sync, as it was before, whatever the sync has written since; adds each row to `ids`. */
export async function readHeld(
  reading: ReadTransaction,
  of: SyncOfSource,
  ids: StoredIds | undefined,
): Promise<StoredRows> {
  const columns = new GrowingColumns()
  for (const query of [living(reading, of), killed(reading, of)]) {
    for await (const rows of reading.batches(query)) {
      for (const row of rows) {
        const [key, fingerprint, part, id, endMs] = row as [number, number, number, string, number]
        columns.push({ key, fingerprint, part, endMs })
        ids?.add(id, key)
      }
    }
  }
  return columns.byKey()
}

/**
 * The rows of these keys that live for the sync, drafts among them; all must be of its source.
 *
 * Only the keys are asked for, and the dead are left out here: what lives of a source has an index of its own, and
 * PostgreSQL would take that one for the better, as long as nobody has counted how many those are.
 */
export async function findRows(
  database: Database,
  keys: readonly number[],
  syncId: number,
): Promise<StoredSlot[]> {
  if (keys.length === 0) return []
  const query = database.read.queries
    .selectFrom('slots')
    .select(['key', 'id', 'offering_id', 'status', 'json'])
    .select((expression) => [
      expression.fn.coalesce('next_part', 'part').as('part'),
      expression.fn.coalesce('next_fingerprint', 'fingerprint').as('fingerprint'),
      'inserted_sync',
      'deleted_sync',
    ])
    .where('key', 'in', database.sqlDialect.anyOf(keys))
  const rows = await database.read.arrays(query.compile())
  return rows.filter(isAlive).map((row) => {
    const [key, id, offeringId, status, json, part, fingerprint, bornSync] = row as HeldSlotRow
    return {
      key,
      id,
      offeringId,
      status: SLOT_STATUSES[status],
      json,
      part,
      fingerprint,
      drafted: bornSync === syncId,
    }
  })
}

type HeldSlotRow = [number, string, number, number, string, number, number, number, number | null]

const isAlive = (row: readonly unknown[]) => row[8] === null

function living(reader: Reader, of: SyncOfSource): SlotsQuery {
  return heldQuery(reader, of).where('deleted_sync', 'is', null).where('source_id', '=', of.sourceId)
}

function killed(reader: Reader, of: SyncOfSource): SlotsQuery {
  return heldQuery(reader, of).where('deleted_sync', '=', of.syncId)
}

/** Where a row was read is what a committed sync says last; what this sync has moved does not count yet. */
function heldQuery(reader: Reader, of: SyncOfSource) {
  return reader.queries
    .selectFrom('slots')
    .select([
      'key',
      sql<number>`case when moved_sync <> ${of.syncId} then next_fingerprint else fingerprint end`.as(
        'held_fingerprint',
      ),
      sql<number>`case when moved_sync <> ${of.syncId} then next_part else part end`.as('held_part'),
      'id',
      'end_ms',
    ])
    .where('inserted_sync', '<>', of.syncId)
}

interface HeldRow {
  readonly key: number
  readonly fingerprint: number
  readonly part: number
  readonly endMs: number
}

class GrowingColumns {
  #keys = new Float64Array(READ_ROWS_MAX)
  #fingerprints = new Float64Array(READ_ROWS_MAX)
  #parts = new Uint32Array(READ_ROWS_MAX)
  #ends = new Uint32Array(READ_ROWS_MAX)
  #size = 0
  #inOrder = true

  push({ key, fingerprint, part, endMs }: HeldRow): void {
    if (this.#size === this.#keys.length) this.#grow()
    if (this.#size > 0 && key < this.#keys[this.#size - 1]) this.#inOrder = false
    this.#keys[this.#size] = key
    this.#fingerprints[this.#size] = fingerprint
    this.#parts[this.#size] = part
    this.#ends[this.#size] = Math.ceil(endMs / 1000)
    this.#size++
  }

  byKey(): StoredRows {
    const keys = this.#keys.slice(0, this.#size)
    const fingerprints = this.#fingerprints.slice(0, this.#size)
    const parts = this.#parts.slice(0, this.#size)
    const ends = this.#ends.slice(0, this.#size)
    if (this.#inOrder) return { keys, fingerprints, parts, ends }
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b])
    return {
      keys: Float64Array.from(order, (at) => keys[at]),
      fingerprints: Float64Array.from(order, (at) => fingerprints[at]),
      parts: Uint32Array.from(order, (at) => parts[at]),
      ends: Uint32Array.from(order, (at) => ends[at]),
    }
  }

  #grow(): void {
    const room = this.#keys.length * 2
    this.#keys = resized(this.#keys, new Float64Array(room))
    this.#fingerprints = resized(this.#fingerprints, new Float64Array(room))
    this.#parts = resized(this.#parts, new Uint32Array(room))
    this.#ends = resized(this.#ends, new Uint32Array(room))
  }
}

function resized<Column extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  from: Column,
  to: Column,
): Column {
  to.set(from)
  return to
}
