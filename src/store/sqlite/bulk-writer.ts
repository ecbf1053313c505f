import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { ADDRESS_SEEN_EVERY_MS, ADDRESSES_PER_KEY } from '../../keys/usage-batch.ts'
import type { ResourceIdentity, StoredResource } from '../contracts/resources.ts'
import type { SlotMove } from '../contracts/snapshots.ts'
import type { BulkWriter, NewSlotRow, SyncOfSource } from '../sql/database.ts'
import { LOG_COLUMNS, type RequestLogRow } from '../sql/schema.ts'
import type { SqliteConnection } from './connection.ts'

/** Rows per statement: 1.0 µs per row instead of 1.8; more rows gain nothing. */
const ROWS_PER_INSERT = 40

/** The values that all rows of a sync share are part of the statement: binding a value takes 30 ns. */
const insertSlots = (rows: number, { sourceId, syncId }: SyncOfSource) => `
  insert into slots (key, id, source_id, offering_id, status, start_ms, end_ms, json, part, fingerprint, inserted_sync, replaces)
  values ${Array.from({ length: rows }, () => `(?, ?, ${sourceId}, ?, ?, ?, ?, ?, ?, ?, ${syncId}, ?)`).join()}`

const DELETE_SLOT = 'update slots set deleted_sync = ? where key = ? and source_id = ? and deleted_sync is null'

const DROP_DRAFT = 'delete from slots where key = ? and source_id = ? and inserted_sync = ? and deleted_sync is null'

/** Folds an earlier sync's committed move into the row before it stores the new one. */
const MOVE_SLOT = `
  update slots set
    part = case when moved_sync <> ?1 then next_part else part end,
    fingerprint = case when moved_sync <> ?1 then next_fingerprint else fingerprint end,
    next_part = ?2, next_fingerprint = ?3, moved_sync = ?1
  where key = ?4 and source_id = ?5 and deleted_sync is null`

const PUT_RESOURCE = `
  insert into resources (key, set_id, type, id, schedule, file, line, json) values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (set_id, type, id) do update set
    schedule = excluded.schedule, file = excluded.file, line = excluded.line, json = excluded.json`

export const REMOVE_RESOURCE = 'delete from resources where set_id = ? and type = ? and id = ?'

const PUT_LAST_USED = `
  update api_keys set last_used_at_ms = ?1 where id = ?2 and (last_used_at_ms is null or last_used_at_ms < ?1)`

/** Ignores unknown keys: the statement looks up the key. */
const addCount = (table: string, kind: string) => `
  insert into ${table} (key_id, hour_ms, ${kind}, requests)
  select id, ?2, ?3, ?4 from api_keys where id = ?1
  on conflict (key_id, hour_ms, ${kind}) do update set requests = requests + excluded.requests`

const ADD_HOUR = addCount('usage_hours', 'status')
const ADD_LATENCY = addCount('usage_latencies', 'bucket')

const PUT_ADDRESS = `
  insert into key_addresses (key_id, address, first_seen_ms, last_seen_ms)
  select id, ?2, ?3, ?3 from api_keys where id = ?1
  on conflict (key_id, address) do update set last_seen_ms = excluded.last_seen_ms
  where excluded.last_seen_ms >= last_seen_ms + ${ADDRESS_SEEN_EVERY_MS}`

const TRIM_ADDRESSES = `
  delete from key_addresses where key_id = ?1 and address in
    (select address from key_addresses where key_id = ?1
     order by last_seen_ms desc, address limit -1 offset ${ADDRESSES_PER_KEY})`

const INSERT_LOGGED = `
  insert into request_log (${LOG_COLUMNS.join()}) values (${LOG_COLUMNS.map(() => '?').join()})`

/** One prepared statement per operation, run for each row or a few rows: about a microsecond each, without an await. */
export class SqliteBulkWriter implements BulkWriter {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async insertSlots(rows: readonly NewSlotRow[]): Promise<void> {
    if (rows.length === 0) return
    const of = { sourceId: rows[0].source_id, syncId: rows[0].inserted_sync }
    const many = this.#statement(insertSlots(ROWS_PER_INSERT, of))
    const one = this.#statement(insertSlots(1, of))
    let at = 0
    for (; at + ROWS_PER_INSERT <= rows.length; at += ROWS_PER_INSERT) {
      many.run(...valuesOf(rows, at, at + ROWS_PER_INSERT))
    }
    for (; at < rows.length; at++) one.run(...valuesOf(rows, at, at + 1))
  }

  async deleteSlots(keys: readonly number[], of: SyncOfSource): Promise<number> {
    const statement = this.#statement(DELETE_SLOT)
    let deleted = 0
    for (const key of keys) deleted += Number(statement.run(of.syncId, key, of.sourceId).changes)
    return deleted
  }

  async dropDrafts(keys: readonly number[], of: SyncOfSource): Promise<number> {
    const drop = this.#statement(DROP_DRAFT)
    let dropped = 0
    for (const key of keys) dropped += Number(drop.run(key, of.sourceId, of.syncId).changes)
    return dropped
  }

  async moveSlots(moves: readonly SlotMove[], of: SyncOfSource): Promise<void> {
    const move = this.#statement(MOVE_SLOT)
    for (const { key, part, fingerprint } of moves) move.run(of.syncId, part, fingerprint, key, of.sourceId)
  }

  async putResources(set: number, resources: readonly StoredResource[], firstKey: number): Promise<void> {
    const put = this.#statement(PUT_RESOURCE)
    let key = firstKey
    for (const { type, id, schedule, file, line, json } of resources)
      put.run(key++, set, type, id, schedule ?? null, file, line, json)
  }

  async removeResources(set: number, keys: readonly ResourceIdentity[]): Promise<void> {
    const remove = this.#statement(REMOVE_RESOURCE)
    for (const { type, id } of keys) remove.run(set, type, id)
  }

  async putLastUsed(uses: ReadonlyMap<string, number>): Promise<void> {
    const put = this.#statement(PUT_LAST_USED)
    for (const [id, atMs] of uses) put.run(atMs, id)
  }

  async addUsage({ requests, latencies, addresses }: Parameters<BulkWriter['addUsage']>[0]): Promise<void> {
    const hour = this.#statement(ADD_HOUR)
    for (const { keyId, hourMs, status, count } of requests) hour.run(keyId, hourMs, status, count)
    const latency = this.#statement(ADD_LATENCY)
    for (const { keyId, hourMs, bucket, count } of latencies) latency.run(keyId, hourMs, bucket, count)
    const put = this.#statement(PUT_ADDRESS)
    for (const { keyId, address, atMs } of addresses) put.run(keyId, address, atMs)
    const trim = this.#statement(TRIM_ADDRESSES)
    for (const keyId of new Set(addresses.map((use) => use.keyId))) trim.run(keyId)
  }

  async insertLogged(rows: readonly RequestLogRow[]): Promise<void> {
    const insert = this.#statement(INSERT_LOGGED)
    for (const row of rows) insert.run(...LOG_COLUMNS.map((column) => row[column]))
  }

  #statement(sql: string): StatementSync {
    return this.#connection.prepare(sql).statement
  }
}

/** In the order of the parameters of `insertSlots`. */
function valuesOf(rows: readonly NewSlotRow[], from: number, to: number): SQLInputValue[] {
  const values: SQLInputValue[] = []
  for (let at = from; at < to; at++) {
    const { key, id, offering_id, status, start_ms, end_ms, json, part, fingerprint, replaces } = rows[at]
    values.push(key, id, offering_id, status, start_ms, end_ms, json, part, fingerprint, replaces)
  }
  return values
}
