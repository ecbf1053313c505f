import { sql } from 'kysely'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { StoredRows, StoredSlot } from '../contracts/snapshots.ts'
import { READ_ROWS_MAX } from './batches.ts'
import type { Database, Reader, ReadTransaction, SyncOfSource } from './database.ts'

/** Reads the snapshot before a sync, ignoring what the sync wrote; adds each row to `ids`. */
export async function readStoredRows(
  reading: ReadTransaction,
  of: SyncOfSource,
  ids: StoredIds | undefined,
): Promise<StoredRows> {
  const columns = new GrowingColumns()
  const visible = storedRowsQuery(reading, of).where('deleted_sync', 'is', null).where('source_id', '=', of.sourceId)
  const deletedBySync = storedRowsQuery(reading, of).where('deleted_sync', '=', of.syncId)
  for (const query of [visible, deletedBySync]) {
    for await (const rows of reading.batches(query)) {
      for (const row of rows) {
        const [key, fingerprint, part, id, endMs] = row as [number, number, number, string, number]
        columns.push(key, fingerprint, part, endMs)
        ids?.add(id, key)
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
  return rows.filter(isVisible).map((row) => {
    const [key, id, offeringId, status, json, part, fingerprint, insertedSync] = row as StoredSlotRow
    return {
      key,
      id,
      offeringId,
      status: SLOT_STATUSES[status],
      json,
      part,
      fingerprint,
      drafted: insertedSync === syncId,
    }
  })
}

type StoredSlotRow = [number, string, number, number, string, number, number, number, number | null]

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
      'id',
      'end_ms',
    ])
    .where('inserted_sync', '<>', of.syncId)
}

class GrowingColumns {
  #keys = new Float64Array(READ_ROWS_MAX)
  #fingerprints = new Float64Array(READ_ROWS_MAX)
  #parts = new Uint32Array(READ_ROWS_MAX)
  #ends = new Uint32Array(READ_ROWS_MAX)
  #size = 0
  #inOrder = true

  push(key: number, fingerprint: number, part: number, endMs: number): void {
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
    const capacity = this.#keys.length * 2
    this.#keys = new Float64Array(this.#keys.buffer.transfer(capacity * 8))
    this.#fingerprints = new Float64Array(this.#fingerprints.buffer.transfer(capacity * 8))
    this.#parts = new Uint32Array(this.#parts.buffer.transfer(capacity * 4))
    this.#ends = new Uint32Array(this.#ends.buffer.transfer(capacity * 4))
  }
}

/** The initial capacity, a power of two; it doubles at a load of two thirds. */
const CAPACITY_MIN = 4_096

/**
 * Candidate rows by slot id: an open-addressing hash table for one sync, 12 to 36 bytes per row.
 *
 *     bucket     hash & (capacity - 1), or the next free one (linear probing)
 *     tags       Uint32    the hash of the id; 0 marks a free bucket
 *     keys       Float64   the row's key
 *
 * It returns candidates: ids with equal hashes share a tag, and deleted rows stay. The caller reads and compares the rows. The alternative,
 * an index in the database, was rejected: ids are random, so each batch of a first sync would rewrite nearly every page.
 */
export class StoredIds {
  #tags: Uint32Array
  #keys: Float64Array
  #size = 0

  /** `expected`: the approximate number of rows; growing doubles the cost of filling. */
  constructor(expected = 0) {
    const capacity = Math.max(CAPACITY_MIN, 2 ** Math.ceil(Math.log2(expected * 1.5 + 1)))
    this.#tags = new Uint32Array(capacity)
    this.#keys = new Float64Array(capacity)
  }

  add(id: string, key: number): void {
    if (this.#size * 3 >= this.#tags.length * 2) this.#grow()
    this.#insert(tagOf(id), key)
    this.#size++
  }

  /** The keys of all rows that may have one of the ids. */
  candidates(ids: readonly string[]): number[] {
    const mask = this.#tags.length - 1
    const keys: number[] = []
    for (const id of ids) {
      const tag = tagOf(id)
      for (let bucket = tag & mask; this.#tags[bucket] !== 0; bucket = (bucket + 1) & mask) {
        if (this.#tags[bucket] === tag) keys.push(this.#keys[bucket])
      }
    }
    return keys
  }

  #insert(tag: number, key: number): void {
    const mask = this.#tags.length - 1
    let bucket = tag & mask
    while (this.#tags[bucket] !== 0) bucket = (bucket + 1) & mask
    this.#tags[bucket] = tag
    this.#keys[bucket] = key
  }

  #grow(): void {
    const tags = this.#tags
    const keys = this.#keys
    this.#tags = new Uint32Array(tags.length * 2)
    this.#keys = new Float64Array(tags.length * 2)
    for (let bucket = 0; bucket < tags.length; bucket++) {
      if (tags[bucket] !== 0) this.#insert(tags[bucket], keys[bucket])
    }
  }
}

/** FNV-1a, mixed so that the low bits, which select the bucket, depend on all characters. */
function tagOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = (hash ^ (hash >>> 13)) >>> 0
  return hash === 0 ? 1 : hash
}
