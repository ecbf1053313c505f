import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type {
  FilePlace,
  ResourceChanges,
  ResourceIdentity,
  ResourceWriter,
  StoredResource,
} from '../contracts/resources.ts'
import { deleteInBatches, READ_ROWS_MAX } from './batches.ts'
import { advance } from './counters.ts'
import type { Database, SyncOfSource, Writer } from './database.ts'
import type { Schema } from './schema.ts'

/** The set of a sync in `resources`, and how the sync writes. */
interface ResourceSync extends SyncOfSource {
  readonly storedSet: number | undefined
  transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  /** Throws `LeaseLost`. */
  check(): Promise<void>
}

/** `ResourceWriter` over any database. The number of a set is that of the sync that wrote it. */
export class SqlResourceWriter implements ResourceWriter {
  readonly #database: Database
  readonly #sync: ResourceSync
  #newSet: number | undefined
  /** The lowest and the highest key of the new set. */
  #firstKey = Number.POSITIVE_INFINITY
  #lastKey = 0

  constructor(database: Database, sync: ResourceSync) {
    this.#database = database
    this.#sync = sync
  }

  get areStored(): boolean {
    return this.#sync.storedSet !== undefined
  }

  /** A second start, after the publication changed while it was read, begins a set of another number. */
  async startOver(): Promise<void> {
    this.#firstKey = Number.POSITIVE_INFINITY
    this.#newSet = await this.#sync.transaction(async ({ queries }) => {
      const id = this.#newSet === undefined ? this.#sync.syncId : await advance(queries, 'sync_ids')
      const { syncId: sync_id, sourceId: source_id } = this.#sync
      await queries.insertInto('resource_sets').values({ id, source_id, sync_id }).execute()
      return id
    })
  }

  async write(changes: ResourceChanges): Promise<number> {
    const set = this.#newSet
    if (set === undefined) throw new Error('Cannot write resources: startOver() was not awaited first')
    const firstKey = await this.#sync.transaction((writer) => changeSet(writer, set, changes))
    this.#firstKey = Math.min(this.#firstKey, firstKey)
    this.#lastKey = firstKey + changes.puts.length - 1
    return firstKey
  }

  async find(keys: readonly ResourceIdentity[]): Promise<StoredResource[]> {
    const found: StoredResource[] = []
    for (const [type, ofType] of Map.groupBy(keys, (key) => key.type)) {
      const ids = ofType.map(({ id }) => id)
      const lookUp = (id: Expression<string>) =>
        sql<number>`(select key from resources where set_id = ${this.#readableSet} and type = ${type} and id = ${id})`
      const query = this.#database.read.queries
        .selectFrom('resources')
        .select(COLUMNS)
        .where(this.#database.sqlDialect.isKeyOfAny(ids, lookUp))
      found.push(...(await this.#database.read.arrays(query.compile())).map(resourceOf))
    }
    await this.#sync.check()
    return found
  }

  readType(type: string): AsyncIterable<readonly StoredResource[]> {
    const query = this.#resources().where('type', '=', type).orderBy('id')
    return this.#read((last) => (last === undefined ? query : query.where('id', '>', last.id)))
  }

  readNew(type: string): AsyncIterable<readonly StoredResource[]> {
    const range = { set: this.#newSet ?? 0, firstKey: this.#firstKey, lastKey: this.#lastKey }
    return this.#readRange(range, (query) => query.where(sql`type || ''`, '=', type))
  }

  readFile({ file, firstKey, lastKey }: FilePlace): AsyncIterable<readonly StoredResource[]> {
    const range = { set: this.#sync.storedSet ?? 0, firstKey, lastKey }
    return this.#readRange(range, (query) => query.where('file', '=', file))
  }

  readSlotsOf(schedule: string): AsyncIterable<readonly StoredResource[]> {
    const query = this.#resources().where('schedule', '=', schedule).orderBy('key')
    return this.#read((last) => query.where('key', '>', last?.key ?? 0))
  }

  /** Makes the new set the stored one or changes the stored one, in the transaction of the commit. Returns its number. */
  async commit(writer: Writer, resources: 'new' | ResourceChanges | undefined): Promise<number | null> {
    if (resources === undefined) return null
    const set = resources === 'new' ? this.#newSet : this.#sync.storedSet
    if (set === undefined) throw new Error('Cannot commit resources: there is no set of them')
    if (resources !== 'new') await changeSet(writer, set, resources)
    return set
  }

  /** By keyset pagination: `after` returns the query for the rows after one. */
  async *#read(after: (last: Row | undefined) => ResourcesQuery): AsyncGenerator<readonly StoredResource[]> {
    for (let last: Row | undefined; ; ) {
      const rows = await this.#database.read.arrays(after(last).limit(READ_ROWS_MAX).compile())
      await this.#sync.check()
      const resources = rows.map(resourceOf)
      if (rows.length > 0) yield resources
      if (rows.length < READ_ROWS_MAX) return
      last = { key: Number(rows[rows.length - 1][0]), id: resources[resources.length - 1].id }
    }
  }

  /** By ranges of keys, the only condition that an index has: PostgreSQL would otherwise read and sort the whole set for each batch. */
  async *#readRange(
    { set, firstKey, lastKey }: { set: number; firstKey: number; lastKey: number },
    only: (query: ResourcesQuery) => ResourcesQuery,
  ): AsyncGenerator<readonly StoredResource[]> {
    for (let from = firstKey; from <= lastKey; from += READ_ROWS_MAX) {
      const range = this.#database.read.queries
        .selectFrom('resources')
        .select(COLUMNS)
        .where(sql`set_id + 0`, '=', set)
        .where('key', '>=', from)
        .where('key', '<=', Math.min(lastKey, from + READ_ROWS_MAX - 1))
      const rows = await this.#database.read.arrays(only(range).compile())
      await this.#sync.check()
      const inOrder = rows.toSorted((one, other) => Number(one[0]) - Number(other[0]))
      if (rows.length > 0) yield inOrder.map(resourceOf)
    }
  }

  get #readableSet(): number {
    return this.#newSet ?? this.#sync.storedSet ?? 0
  }

  #resources() {
    return this.#database.read.queries.selectFrom('resources').select(COLUMNS).where('set_id', '=', this.#readableSet)
  }
}

const COLUMNS = ['key', 'type', 'id', 'schedule', 'file', 'line', 'json'] as const

/** The position of a row in its order. */
interface Row {
  readonly key: number
  readonly id: string
}

type ResourcesQuery = SelectQueryBuilder<Schema, 'resources', { key: number }>

/** Returns the first of the new keys. */
async function changeSet(writer: Writer, set: number, { puts, removes }: ResourceChanges): Promise<number> {
  if (removes.length > 0) await writer.bulk.removeResources(set, removes)
  const firstKey = (await advance(writer.queries, 'resource_keys', puts.length)) - puts.length + 1
  if (puts.length > 0) await writer.bulk.putResources(set, puts, firstKey)
  return firstKey
}

function resourceOf(row: readonly unknown[]): StoredResource {
  const [, type, id, schedule, file, line, json] = row as [
    number,
    string,
    string,
    string | null,
    string,
    number,
    string,
  ]
  return { type, id, file, line, json, ...(schedule !== null && { schedule }) }
}

/** Deletes sets that no source has and no running sync writes. Returns the number of resources. */
export async function deleteUnusedSets(database: Database): Promise<number> {
  const { queries } = database.read
  const unused = await queries
    .selectFrom('resource_sets')
    .select('id')
    .where('id', 'not in', queries.selectFrom('sources').select('resource_set').where('resource_set', 'is not', null))
    .where('sync_id', 'not in', queries.selectFrom('syncs').select('id').where('revision', 'is', null))
    .execute()
  let rows = 0
  for (const { id } of unused) {
    rows += await deleteInBatches(database, 'resources', ['key'], (resource) => resource('set_id', '=', id))
    await database.transaction('kill', (writer) =>
      writer.queries.deleteFrom('resource_sets').where('id', '=', id).execute(),
    )
  }
  return rows
}
