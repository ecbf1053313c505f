import { randomInt } from 'node:crypto'
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { COUNTERS } from '../sql/counters.ts'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** The first schema. `schema.ts` says what the columns mean. */
export async function first(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createCounters(queries, terms)
  await createOrganizations(queries, terms)
  await createSources(queries, terms)
  await createSlots(queries, terms)
}

async function createCounters(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await create(
    queries.schema
      .createTable('counters')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', terms.integer, (column) => column.notNull()),
    terms,
  )
  await queries
    .insertInto('counters')
    .values(COUNTERS.map((name) => ({ name, value: name === 'store' ? randomInt(2 ** 40) : 0 })))
    .execute()
}

async function createOrganizations(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await create(
    queries.schema
      .createTable('organizations')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_folded', 'text', (column) => column.notNull().unique())
      .addColumn('created_at_ms', terms.integer, (column) => column.notNull()),
    terms,
  )
  await create(
    queries.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('last_four', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('expires_at_ms', terms.integer)
      .addColumn('revoked_at_ms', terms.integer)
      .addColumn('revoked_reason', 'text')
      .addColumn('last_used_at_ms', terms.integer)
      .addColumn('revision', terms.integer, (column) => column.notNull()),
    terms,
  )
  await queries.schema
    .createIndex('api_keys_by_organization')
    .on('api_keys')
    .column('organization_id')
    .execute()
  await queries.schema.createIndex('api_keys_by_revision').on('api_keys').column('revision').execute()
}

async function createSources(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await create(
    queries.schema
      .createTable('sources')
      .addColumn('id', terms.integer, (column) => column.primaryKey())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('strict', terms.integer, (column) => column.notNull())
      .addColumn('every_ms', terms.integer)
      .addColumn('created_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('memory', 'text')
      .addColumn('next_sync_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('failures', terms.integer, (column) => column.notNull())
      .addColumn('last_sync', 'text')
      .addColumn('slot_count', terms.integer, (column) => column.notNull())
      .addColumn('changed_at_ms', terms.integer)
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until_ms', terms.integer, (column) => column.notNull())
      .addColumn('sync_id', terms.integer, (column) => column.notNull()),
    terms,
  )
  await create(
    queries.schema
      .createTable('rejections')
      .addColumn('source_id', terms.integer, (column) =>
        column.notNull().references('sources.id').onDelete('cascade'),
      )
      .addColumn('position', terms.integer, (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('line', terms.integer, (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('sample', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('rejections_key', ['source_id', 'position']),
    terms,
  )
}

/**
 * No foreign keys here: rows outlive their source until retention ends. No index on a slot's id either: in a table of
 * a million, random ids touch every page of it with every batch, so a sync looks ids up in `HeldIds` instead.
 */
async function createSlots(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createSyncs(queries, terms)
  await create(
    queries.schema
      .createTable('slots')
      .addColumn('key', terms.integer, (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('source_id', terms.integer, (column) => column.notNull())
      .addColumn('offering_id', terms.integer, (column) => column.notNull())
      .addColumn('status', terms.integer, (column) => column.notNull())
      .addColumn('start_ms', terms.integer, (column) => column.notNull())
      .addColumn('end_ms', terms.integer, (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addColumn('part', terms.integer, (column) => column.notNull())
      .addColumn('fingerprint', terms.integer, (column) => column.notNull())
      .addColumn('born_sync', terms.integer, (column) => column.notNull())
      .addColumn('died_sync', terms.integer)
      .addColumn('next_part', terms.integer)
      .addColumn('next_fingerprint', terms.integer)
      .addColumn('moved_sync', terms.integer),
    terms,
  )
  const index = (name: string) => queries.schema.createIndex(name).on('slots')
  await index('slots_by_birth').column('born_sync').execute()
  await index('slots_by_death').column('died_sync').where(sql.ref('died_sync'), 'is not', null).execute()
  await index('slots_by_move').column('moved_sync').where(sql.ref('moved_sync'), 'is not', null).execute()
  await index('slots_by_source').column('source_id').where(sql.ref('died_sync'), 'is', null).execute()
}

async function createSyncs(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await create(
    queries.schema
      .createTable('syncs')
      .addColumn('id', terms.integer, (column) => column.primaryKey())
      .addColumn('source_id', terms.integer, (column) => column.notNull())
      .addColumn('revision', terms.integer)
      .addColumn('committed_at_ms', terms.integer)
      .addColumn('removal', terms.integer, (column) => column.notNull()),
    terms,
  )
  await queries.schema.createIndex('syncs_by_revision').on('syncs').column('revision').unique().execute()
  await create(
    queries.schema
      .createTable('offerings')
      .addColumn('id', terms.integer, (column) => column.primaryKey())
      .addColumn('source_id', terms.integer, (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('json', 'text', (column) => column.notNull())
      .addUniqueConstraint('offerings_by_content', ['source_id', 'hash']),
    terms,
  )
}

async function create<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  terms: SqlDialect,
): Promise<void> {
  await table.modifyEnd(sql.raw(terms.tableEnd)).execute()
}
