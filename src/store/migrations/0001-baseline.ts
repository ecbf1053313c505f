import { randomInt } from 'node:crypto'
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { COUNTERS } from '../sql/counters.ts'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { type ColumnType, TABLES, type TableDefinition } from './baseline-tables.ts'
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
  for (const statement of [...dialect.appendOnly('audit'), ...dialect.notifyChanges]) {
    await sql.raw(statement).execute(queries)
  }
  await queries
    .insertInto('counters')
    .values(COUNTERS.map((name) => ({ name, value: name === 'store' ? randomInt(2 ** 40) : 0 })))
    .execute()
}

async function createTable(
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

/** Columns of `table_columns_idx`, the names that better-auth gives its indexes: it then finds nothing to add. */
const SIGN_IN_INDEXES: ReadonlyArray<readonly [table: string, column: string]> = [
  ['sessions', 'userId'],
  ['credentials', 'userId'],
  ['verifications', 'identifier'],
  ['passkeys', 'userId'],
  ['passkeys', 'credentialID'],
  ['two_factors', 'userId'],
  ['two_factors', 'secret'],
]

/** Indexes by table and name, each with its columns. */
const INDEXES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  api_keys: { api_keys_by_organization: ['organization_id'], api_keys_by_revision: ['revision'] },
  memberships: { memberships_by_user: ['user_id'] },
  invitations: { invitations_by_organization: ['organization_id'] },
  audit: { audit_by_organization: ['organization_id', 'id'] },
  usage_hours: { usage_hours_by_hour: ['hour_ms'] },
  usage_latencies: { usage_latencies_by_hour: ['hour_ms'] },
  recent_requests: { recent_requests_by_key: ['key_id', 'at_ms', 'id'] },
  throttles: { throttles_by_end: ['forget_at_ms'] },
  sync_history: { sync_history_by_source: ['source_id', 'sync_id'] },
  health_events: { health_events_by_source: ['source_id', 'id'] },
  source_actions: {
    source_actions_by_slug: ['slug', 'id'],
    source_actions_by_kind: ['slug', 'kind', 'id'],
  },
  alert_messages: {
    alert_messages_by_outcome: ['outcome', 'channel', 'id'],
    alert_messages_by_age: ['created_at_ms'],
  },
  sources: {
    sources_by_next_sync: ['paused', 'slow', 'next_sync_at_ms', 'format', 'slug'],
    // Covers `freshness()`: a thousand sources with 200 kB of connector state each are read in 0.5 ms instead of 23 ms.
    sources_by_freshness: [
      'slug',
      'name',
      'paused',
      'health',
      'last_checked_at_ms',
      'published_at_ms',
      'changed_at_ms',
      'next_sync_at_ms',
    ],
  },
}

/**
 * `slots` has no index on `id`: ids are random, so each batch of a first sync would rewrite nearly every page of it. A sync
 * looks ids up in `StoredIds` instead.
 */
async function createIndexes(queries: Kysely<Schema>, { indexKeyColumns }: SqlDialect): Promise<void> {
  const index = (name: string, table: string) => queries.schema.createIndex(name).on(table)
  for (const [table, column] of SIGN_IN_INDEXES) {
    await index(`${table}_${column}_idx`, table).column(column).execute()
  }
  for (const [table, indexes] of Object.entries(INDEXES)) {
    for (const [name, columns] of Object.entries(indexes)) {
      await index(name, table)
        .columns([...columns])
        .execute()
    }
  }
  await index('memberships_one_owner', 'memberships')
    .column('organization_id')
    .unique()
    .where(sql.ref('role'), '=', sql.lit('owner'))
    .execute()
  await index('syncs_by_revision', 'syncs').column('revision').unique().execute()
  await createSlotIndexes(queries, indexKeyColumns)
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
  await index('slots_by_replaced', 'replaces')
    .where(...where('replaces', 'is not'))
    .execute()
}
