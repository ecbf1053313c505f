import type { ClientBase, Submittable } from 'pg'
import { ADDRESS_SEEN_EVERY_MS, ADDRESSES_PER_KEY } from '../../keys/usage-batch.ts'
import type { ResourceIdentity, StoredResource } from '../contracts/resources.ts'
import type { SlotMove } from '../contracts/snapshots.ts'
import type { BulkWriter, NewSlotRow, SyncOfSource } from '../sql/database.ts'
import { LOG_COLUMNS, type RequestLogRow } from '../sql/schema.ts'

const SLOTS =
  'slots (key, id, source_id, offering_id, status, start_ms, end_ms, json, part, fingerprint, inserted_sync, replaces)'

/**
 * The statements below look up few rows by key. Without statistics, `is null` and a plain `inserted_sync` make the planner prefer
 * the indexes on versions, which it believes to be short: it then reads a million rows for four thousand.
 */
const NOT_DELETED = 'coalesce(deleted_sync, 0) = 0'

const DELETE_SLOTS = `
  update slots set deleted_sync = $1 where key = any($2::bigint[]) and source_id = $3 and ${NOT_DELETED}`

const DROP_DRAFTS = `
  delete from slots where key = any($1::bigint[]) and source_id = $2 and inserted_sync + 0 = $3 and ${NOT_DELETED}`

/** Folds an earlier sync's committed move into the row before it stores the new one. */
const MOVE_SLOTS = `
  update slots set
    part = case when moved_sync <> $1 then slots.next_part else slots.part end,
    fingerprint = case when moved_sync <> $1 then slots.next_fingerprint else slots.fingerprint end,
    next_part = move.part, next_fingerprint = move.fingerprint, moved_sync = $1
  from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as move (key, part, fingerprint)
  where slots.key = move.key and source_id = $5 and ${NOT_DELETED}`

const PUT_RESOURCES = `
  insert into resources (set_id, key, type, id, schedule, file, line, json)
  select $1, put.* from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
    as put (key, type, id, schedule, file, line, json)
  on conflict (set_id, type, id) do update set
    schedule = excluded.schedule, file = excluded.file, line = excluded.line, json = excluded.json`

/** By a lookup per resource: a join may read the whole set for each of them while the table has no statistics. */
export const REMOVE_RESOURCES = `
  delete from resources where key = any(array(
    select (select key from resources where set_id = $1 and type = gone.type and id = gone.id)
    from unnest($2::text[], $3::text[]) as gone (type, id)))`

const PUT_LAST_USED = `
  update api_keys set last_used_at_ms = used.at_ms
  from unnest($1::text[], $2::bigint[]) as used (id, at_ms)
  where api_keys.id = used.id and (last_used_at_ms is null or last_used_at_ms < used.at_ms)`

/** Ignores unknown keys. Ordered by key, so that two nodes cannot deadlock. */
const addCounts = (table: string, kind: string) => `
  insert into ${table} as known (key_id, hour_ms, ${kind}, requests)
  select api_keys.id, hour_ms, kind, sum(count)::bigint
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as counted (key_id, hour_ms, kind, count)
  join api_keys on api_keys.id = counted.key_id
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (key_id, hour_ms, ${kind}) do update set requests = known.requests + excluded.requests`

const ADD_HOURS = addCounts('usage_hours', 'status')
const ADD_LATENCIES = addCounts('usage_latencies', 'bucket')

const PUT_ADDRESSES = `
  insert into key_addresses as known (key_id, address, first_seen_ms, last_seen_ms)
  select api_keys.id, used.address, used.at_ms, used.at_ms
  from unnest($1::text[], $2::text[], $3::bigint[]) as used (key_id, address, at_ms)
  join api_keys on api_keys.id = used.key_id
  on conflict (key_id, address) do update set last_seen_ms = excluded.last_seen_ms
  where excluded.last_seen_ms >= known.last_seen_ms + ${ADDRESS_SEEN_EVERY_MS}`

const TRIM_ADDRESSES = `
  delete from key_addresses using (
    select key_id, address, row_number() over (partition by key_id order by last_seen_ms desc, address) as place
    from key_addresses where key_id = any($1::text[])) as ranked
  where key_addresses.key_id = ranked.key_id and key_addresses.address = ranked.address
    and place > ${ADDRESSES_PER_KEY}`

/** One statement per operation, with an array of values per column; slots are inserted by COPY. */
export class PostgresBulkWriter implements BulkWriter {
  readonly #client: ClientBase

  constructor(client: ClientBase) {
    this.#client = client
  }

  async insertSlots(rows: readonly NewSlotRow[]): Promise<void> {
    if (rows.length === 0) return
    await copyIn(this.#client, SLOTS, rows.map(columnsOf))
  }

  async deleteSlots(keys: readonly number[], of: SyncOfSource): Promise<number> {
    return keys.length === 0 ? 0 : this.#run(DELETE_SLOTS, [of.syncId, keys, of.sourceId])
  }

  async dropDrafts(keys: readonly number[], of: SyncOfSource): Promise<number> {
    return keys.length === 0 ? 0 : this.#run(DROP_DRAFTS, [keys, of.sourceId, of.syncId])
  }

  async moveSlots(moves: readonly SlotMove[], of: SyncOfSource): Promise<void> {
    if (moves.length === 0) return
    const column = (name: keyof SlotMove) => moves.map((move) => move[name])
    await this.#run(MOVE_SLOTS, [of.syncId, column('key'), column('part'), column('fingerprint'), of.sourceId])
  }

  async putResources(set: number, resources: readonly StoredResource[], firstKey: number): Promise<void> {
    await this.#run(PUT_RESOURCES, [
      set,
      resources.map((_, at) => firstKey + at),
      resources.map(({ type }) => type),
      resources.map(({ id }) => id),
      resources.map(({ schedule }) => schedule ?? null),
      resources.map(({ file }) => file),
      resources.map(({ line }) => line),
      resources.map(({ json }) => json),
    ])
  }

  async removeResources(set: number, keys: readonly ResourceIdentity[]): Promise<void> {
    await this.#run(REMOVE_RESOURCES, [set, keys.map(({ type }) => type), keys.map(({ id }) => id)])
  }

  async putLastUsed(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size > 0) await this.#run(PUT_LAST_USED, [[...uses.keys()], [...uses.values()]])
  }

  async addUsage({ requests, latencies, addresses }: Parameters<BulkWriter['addUsage']>[0]): Promise<void> {
    await this.#addCounts(
      ADD_HOURS,
      requests.map(({ keyId, hourMs, status, count }) => [keyId, hourMs, status, count]),
    )
    await this.#addCounts(
      ADD_LATENCIES,
      latencies.map(({ keyId, hourMs, bucket, count }) => [keyId, hourMs, bucket, count]),
    )
    if (addresses.length === 0) return
    const keyIds = addresses.map(({ keyId }) => keyId)
    await this.#run(PUT_ADDRESSES, [keyIds, addresses.map(({ address }) => address), addresses.map(({ atMs }) => atMs)])
    await this.#run(TRIM_ADDRESSES, [[...new Set(keyIds)]])
  }

  async insertLogged(rows: readonly RequestLogRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = rows.map((row) => LOG_COLUMNS.map((column) => row[column]))
    await copyIn(this.#client, `request_log (${LOG_COLUMNS.join()})`, values)
  }

  async #addCounts(sql: string, rows: readonly (readonly [string, number, number, number])[]): Promise<void> {
    if (rows.length > 0)
      await this.#run(
        sql,
        [0, 1, 2, 3].map((column) => rows.map((row) => row[column])),
      )
  }

  async #run(text: string, values: readonly unknown[]): Promise<number> {
    const { rowCount } = await this.#client.query(text, [...values])
    return rowCount ?? 0
  }
}

function columnsOf(row: NewSlotRow): readonly CopyValue[] {
  const { key, id, source_id, offering_id, status, start_ms, end_ms } = row
  const { json, part, fingerprint, inserted_sync, replaces } = row
  return [key, id, source_id, offering_id, status, start_ms, end_ms, json, part, fingerprint, inserted_sync, replaces]
}

/** A column value. */
type CopyValue = string | number | null

/**
 * Inserts rows by COPY, in order: half the cost of `insert` for the server, and a third for the client. `into` is the table and its
 * columns as SQL. Throws the database's errors; no row is inserted then.
 */
export function copyIn(
  client: Pick<ClientBase, 'query'>,
  into: string,
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.query(new CopyIn(`copy ${into} from stdin`, textOf(rows), { resolve, reject }))
  return promise
}

/** PostgreSQL's text format: tab-separated columns, one line per row. */
function textOf(rows: Iterable<readonly CopyValue[]>): string {
  let text = ''
  for (const row of rows) {
    for (let at = 0; at < row.length; at++) {
      const value = row[at]
      if (at > 0) text += '\t'
      if (value === null) text += '\\N'
      else if (typeof value === 'string' && NOT_PLAIN.test(value)) text += value.replace(EACH_NOT_PLAIN, escaped)
      else text += value
    }
    text += '\n'
  }
  return text
}

/** Characters to escape. */
const NOT_PLAIN = /[\\\t\n\r]/
const EACH_NOT_PLAIN = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escaped(character: string): string {
  return ESCAPES[character]
}

/** As much as a socket takes at once; one message for all rows would be copied as it grows. */
const CHUNK_BYTES = 65_536

/** The COPY protocol, which `pg` leaves to its caller: it calls a method per message of the server. */
class CopyIn implements Submittable {
  readonly #command: string
  readonly #text: string
  readonly #end: { resolve(): void; reject(error: Error): void }

  constructor(command: string, text: string, end: { resolve(): void; reject(error: Error): void }) {
    this.#command = command
    this.#text = text
    this.#end = end
  }

  submit(connection: { query(text: string): void }): void {
    connection.query(this.#command)
  }

  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void {
    const bytes = Buffer.from(this.#text)
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      connection.sendCopyFromChunk(bytes.subarray(at, at + CHUNK_BYTES))
    }
    connection.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end.resolve()
  }

  handleError(error: Error): void {
    this.#end.reject(error)
  }
}
