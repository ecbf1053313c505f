import { createHash, randomInt } from 'node:crypto'
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { COUNTERS } from '../sql/counters.ts'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { IS_INDEXED } from '../sql/stored-slots.ts'
import { type ColumnType, LIST_RANKS, TABLES, type TableDefinition } from './baseline-tables.ts'
import { SIGN_IN_TABLES } from './sign-in-tables.ts'

/** The schema of the first release. */
export async function baseline(queries: Kysely<Schema>, dialect: SqlDialect): Promise<void> {
  for (const [table, columns] of Object.entries(SIGN_IN_TABLES)) {
    await createTable(queries, dialect, table, { columns: { id: 'text#', ...columns } })
  }
  for (const [table, definition] of Object.entries(TABLES)) {
    await createTable(queries, dialect, table, definition)
  }
  await createIndexes(queries, dialect)
  for (const statement of [...dialect.appendOnly('audit', TRIMMED), ...dialect.notifyChanges]) {
    await sql.raw(statement).execute(queries)
  }
  await queries
    .insertInto('counters')
    .values(COUNTERS.map((name) => ({ name, value: name === 'store' ? randomInt(2 ** 40) : 0 })))
    .execute()
}

/** Retention moves the anchor first, which the chain records. */
const TRIMMED = `old.id <= coalesce((select entry_id from audit_chain where name = 'anchor'), 0)`

/** Creates a table of a definition. */
export async function createTable(
  queries: Kysely<Schema>,
  dialect: SqlDialect,
  table: string,
  { columns, key, unique, check }: TableDefinition,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = queries.schema.createTable(table)
  for (const [name, type] of Object.entries(columns)) {
    builder = builder.addColumn(name, sqlTypeOf(type, dialect), (column) => constrained(column, type))
  }
  if (key !== undefined) builder = builder.addPrimaryKeyConstraint(`${table}_key`, [...key])
  if (unique !== undefined) builder = builder.addUniqueConstraint(unique[0], [...unique[1]])
  if (check !== undefined) builder = builder.addCheckConstraint(check[0], sql.raw(check[1]))
  await builder.modifyEnd(sql.raw(dialect.tableEnd)).execute()
}

function sqlTypeOf(type: ColumnType, dialect: SqlDialect) {
  const base = type.replace(/[?!#]$/, '')
  if (base === 'integer' || base === 'source') return dialect.integer
  if (base === 'boolean') return dialect.boolean
  return base === 'date' ? dialect.date : 'text'
}

function constrained(column: ColumnDefinitionBuilder, type: ColumnType): ColumnDefinitionBuilder {
  let built = type.endsWith('?') ? column : column.notNull()
  if (type.endsWith('!')) built = built.unique()
  if (type.endsWith('#')) built = built.primaryKey()
  if (type.startsWith('user')) return built.references('users.id').onDelete('cascade')
  if (type.startsWith('source')) return built.references('sources.id').onDelete('cascade')
  return type.startsWith('organization') ? built.references('organizations.id') : built
}

/** Table and columns of each index. Names that end with `_idx` are those of better-auth, which then finds nothing to add. */
const INDEXES: Readonly<Record<string, readonly [table: string, ...columns: string[]]>> = {
  sessions_userId_idx: ['sessions', 'userId'],
  credentials_userId_idx: ['credentials', 'userId'],
  verifications_identifier_idx: ['verifications', 'identifier'],
  passkeys_userId_idx: ['passkeys', 'userId'],
  passkeys_credentialID_idx: ['passkeys', 'credentialID'],
  two_factors_userId_idx: ['two_factors', 'userId'],
  two_factors_secret_idx: ['two_factors', 'secret'],
  api_keys_by_revision: ['api_keys', 'revision'],
  memberships_by_user: ['memberships', 'user_id'],
  audit_by_organization: ['audit', 'organization_id', 'id'],
  usage_hours_by_hour: ['usage_hours', 'hour_ms'],
  usage_latencies_by_hour: ['usage_latencies', 'hour_ms'],
  request_log_by_key: ['request_log', 'organization_id', 'key_id', 'entry'],
  request_log_by_request: ['request_log', 'organization_id', 'request_id', 'entry'],
  key_addresses_by_age: ['key_addresses', 'last_seen_ms'],
  throttles_by_end: ['throttles', 'forget_at_ms'],
  sync_history_by_source: ['sync_history', 'source_id', 'sync_id'],
  health_events_by_source: ['health_events', 'source_id', 'id'],
  source_actions_by_slug: ['source_actions', 'slug', 'id'],
  source_actions_by_kind: ['source_actions', 'slug', 'kind', 'id'],
  alert_messages_by_outcome: ['alert_messages', 'outcome', 'channel', 'id'],
  alert_messages_by_age: ['alert_messages', 'created_at_ms'],
  sources_by_next_sync: ['sources', 'paused', 'slow', 'next_sync_at_ms', 'format', 'slug'],
  // Covers `freshness()`: a thousand sources with 200 kB of connector state each are read in 0.5 ms instead of 23 ms.
  sources_by_freshness: [
    'sources',
    ...[
      'slug',
      'name',
      'paused',
      'health',
      'last_checked_at_ms',
      'published_at_ms',
      'changed_at_ms',
      'next_sync_at_ms',
      'url',
    ],
  ],
}

/**
 * The name of this step, which ends in a hash of its layout: a store of a development version with another layout is refused with
 * a sentence instead of failing at the first column that it lacks. Never edit this step or its tables: changes are later steps.
 */
export const BASELINE = `0001-baseline-${createHash('sha256')
  .update(JSON.stringify([SIGN_IN_TABLES, TABLES, LIST_RANKS, INDEXES]))
  .digest('hex')
  .slice(0, 8)}`

/**
 * `slots` has an index on `id` only for feeds that publish updates: ids are random, so each batch of a first sync rewrites nearly
 * every page of it. Other syncs look ids up in `StoredIds` instead.
 */
async function createIndexes(queries: Kysely<Schema>, { indexKeyColumns }: SqlDialect): Promise<void> {
  const index = (name: string, table: string) => queries.schema.createIndex(name).on(table)
  for (const [name, [table, ...columns]] of Object.entries(INDEXES)) {
    await index(name, table).columns(columns).execute()
  }
  await index('memberships_one_owner', 'memberships')
    .column('organization_id')
    .unique()
    .where(sql.ref('role'), '=', sql.lit('owner'))
    .execute()
  await index('syncs_by_revision', 'syncs').column('revision').unique().execute()
  await index('resources_by_schedule', 'resources')
    .columns(['set_id', 'schedule', ...indexKeyColumns])
    .where(sql.ref('schedule'), 'is not', null)
    .execute()
  await index('request_log_gaps', 'request_log')
    .columns(['organization_id', 'entry'])
    .where(sql.ref('left_out'), '>', sql.lit(0))
    .execute()
  await createListIndexes(queries)
  await createSlotIndexes(queries, indexKeyColumns)
}

/** A list index orders a list of an organization by rank, so that each page is one range of it; an end index is for retention. */
async function createListIndexes(queries: Kysely<Schema>): Promise<void> {
  const rank = (table: keyof typeof LIST_RANKS) => sql`(${sql.raw(LIST_RANKS[table])})`
  const list = (table: keyof typeof LIST_RANKS) =>
    queries.schema.createIndex(`${table}_by_organization`).on(table).column('organization_id').expression(rank(table))
  await list('api_keys').columns(['created_at_ms', 'id']).execute()
  await list('invitations').columns(['created_at_ms', 'id']).execute()
  await list('memberships').columns(['joined_at_ms', 'user_id']).execute()
  for (const table of ['api_keys', 'invitations'] as const) {
    await queries.schema.createIndex(`${table}_by_end`).on(table).expression(rank(table)).execute()
  }
}

async function createSlotIndexes(queries: Kysely<Schema>, keyColumns: SqlDialect['indexKeyColumns']): Promise<void> {
  const index = (name: string, ...columns: string[]) => queries.schema.createIndex(name).on('slots').columns(columns)
  const where = (column: string, operator: 'is' | 'is not') => [sql.ref(column), operator, null] as const
  await index('slots_by_inserted_sync', 'inserted_sync', ...keyColumns).execute()
  await index('slots_by_deleted_sync', 'deleted_sync', ...keyColumns)
    .where(...where('deleted_sync', 'is not'))
    .execute()
  await index('slots_by_source', 'source_id', ...keyColumns)
    .where(...where('deleted_sync', 'is'))
    .execute()
  await index('slots_by_moved_sync', 'moved_sync')
    .where(...where('moved_sync', 'is not'))
    .execute()
  await index('slots_by_id', 'id')
    .where(sql<SqlBool>`(${sql.raw(IS_INDEXED)})`)
    .execute()
  await index('slots_by_replaced', 'replaces')
    .where(...where('replaces', 'is not'))
    .execute()
}
