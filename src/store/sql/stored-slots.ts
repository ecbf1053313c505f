import { type SqlBool, sql } from 'kysely'
import { INDEXED_PART } from '../../slot/ids.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { StoredRows, StoredSlot } from '../contracts/snapshots.ts'
import { READ_ROWS_MAX } from './batches.ts'
import type { Database, Reader, ReadTransaction, SyncOfSource } from './database.ts'

/** Reads the snapshot before a sync, of about `expected` rows, ignoring what the sync wrote; adds each row to `ids`. */
export async function readStoredRows(
  reading: ReadTransaction,
  of: SyncOfSource,
  { expected, ids }: { expected: number; ids: StoredIds | undefined },
): Promise<StoredRows> {
  const columns = new GrowingColumns(expected)
  const visible = storedRowsQuery(reading, of).where('deleted_sync', 'is', null).where('source_id', '=', of.sourceId)
  const deletedBySync = storedRowsQuery(reading, of).where('deleted_sync', '=', of.syncId)
  for (const query of [visible, deletedBySync]) {
    for await (const rows of reading.batches(query)) {
      for (const row of rows) {
        const [key, fingerprint, part, end, id] = row as [number, number, number, number, string]
        columns.push(key, fingerprint, part, end)
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

class GrowingColumns {
  #keys: Float64Array<ArrayBuffer>
  #fingerprints: Float64Array<ArrayBuffer>
  #parts: Uint32Array<ArrayBuffer>
  #ends: Uint32Array<ArrayBuffer>
  #size = 0
  #inOrder = true

  /** `expected`: the approximate number of rows; growing needs the memory twice. */
  constructor(expected: number) {
    const capacity = Math.max(READ_ROWS_MAX, expected)
    this.#keys = new Float64Array(capacity)
    this.#fingerprints = new Float64Array(capacity)
    this.#parts = new Uint32Array(capacity)
    this.#ends = new Uint32Array(capacity)
  }

  push(key: number, fingerprint: number, part: number, end: number): void {
    if (this.#size === this.#keys.length) this.#grow()
    if (this.#size > 0 && key < this.#keys[this.#size - 1]) this.#inOrder = false
    this.#keys[this.#size] = key
    this.#fingerprints[this.#size] = fingerprint
    this.#parts[this.#size] = part
    this.#ends[this.#size] = end
    this.#size++
  }

  byKey(): StoredRows {
    const keys = this.#keys.subarray(0, this.#size)
    const fingerprints = this.#fingerprints.subarray(0, this.#size)
    const parts = this.#parts.subarray(0, this.#size)
    const ends = this.#ends.subarray(0, this.#size)
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

const CAPACITY_MIN = 4_096

/** The largest share of buckets in use. */
const LOAD_MAX = 3 / 4

/**
 * Candidate rows by slot id: an open-addressing hash table for one sync, 11 to 21 bytes per row.
 *
 *     bucket     the tag as a fraction of 2^32 of the capacity, or the next free one (linear probing)
 *     entry      Uint32    tag, the hash of the id; 0 marks a free bucket
 *                Uint32    the row's key modulo 2^32
 *
 * It returns candidates: ids with equal hashes share a tag, keys that differ by 2^32 an entry, and deleted rows stay. The caller reads and
 * compares the rows. The alternative, an index in the database, was rejected: ids are random, so each batch of a first sync would rewrite
 * nearly every page.
 */
export class StoredIds {
  #entries: Uint32Array
  #size = 0
  #firstKey = Number.POSITIVE_INFINITY
  #lastKey = 0

  /** `expected`: the approximate number of rows; growing doubles the cost of filling. */
  constructor(expected = 0) {
    this.#entries = new Uint32Array(2 * Math.max(CAPACITY_MIN, Math.ceil(expected / LOAD_MAX)))
  }

  add(id: string, key: number): void {
    if (this.#size * 2 >= this.#entries.length * LOAD_MAX) this.#grow()
    this.#insert(tagOf(id), key % KEY_PERIOD)
    this.#firstKey = Math.min(this.#firstKey, key)
    this.#lastKey = Math.max(this.#lastKey, key)
    this.#size++
  }

  /** The keys of all rows that may have one of the ids. */
  candidates(ids: readonly string[]): number[] {
    const entries = this.#entries
    const keys: number[] = []
    for (const id of ids) {
      const tag = tagOf(id)
      for (let at = bucketOf(tag, entries); entries[at] !== 0; at = at + 2 < entries.length ? at + 2 : 0) {
        if (entries[at] === tag) this.#addKeys(keys, entries[at + 1])
      }
    }
    return keys
  }

  /** All keys with this remainder; one, until a store has inserted four billion rows. */
  #addKeys(keys: number[], remainder: number): void {
    const period = Math.floor(this.#firstKey / KEY_PERIOD) * KEY_PERIOD
    for (let key = period + remainder; key <= this.#lastKey; key += KEY_PERIOD)
      if (key >= this.#firstKey) keys.push(key)
  }

  #insert(tag: number, key: number): void {
    const entries = this.#entries
    let at = bucketOf(tag, entries)
    while (entries[at] !== 0) at = at + 2 < entries.length ? at + 2 : 0
    entries[at] = tag
    entries[at + 1] = key
  }

  #grow(): void {
    const entries = this.#entries
    this.#entries = new Uint32Array(entries.length * 2)
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] !== 0) this.#insert(entries[at], entries[at + 1])
    }
  }
}

const KEY_PERIOD = 2 ** 32

/** Where the search for a tag begins. */
function bucketOf(tag: number, entries: Uint32Array): number {
  return 2 * Math.floor((tag / 2 ** 32) * (entries.length / 2))
}

/** Ids are hashes: the last characters, 40 bits, are as good as all. */
const TAG_LENGTH = 8

/** FNV-1a, mixed so that the high bits, which select the bucket, depend on all these characters. */
function tagOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = Math.max(0, id.length - TAG_LENGTH); at < id.length; at++)
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = (hash ^ (hash >>> 13)) >>> 0
  return hash === 0 ? 1 : hash
}
