import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './create-table.ts'

/** How sources do and did, what of theirs is held back, and who looks after them. */
export async function freshSources(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await addColumns(queries, terms)
  await createEvents(queries, terms)
  await createChores(queries, terms)
  await createOpenSlots(queries, terms)
}

async function addColumns(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  const sources = () => queries.schema.alterTable('sources')
  const text = (name: string, fallback: string) =>
    sources()
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(fallback))
      .execute()
  const integer = (name: string) =>
    sources()
      .addColumn(name, terms.integer, (column) => column.notNull().defaultTo(0))
      .execute()
  await text('hold', 'emptied')
  await integer('accept_next')
  await sources().addColumn('held', 'text').execute()
  await text('findings', '[]')
  await text('accepted', '[]')
  await text('pauses', '[]')
  await sources().addColumn('last_end_ms', terms.integer).execute()
  await sources().addColumn('last_read', 'text').execute()
  await integer('slow')
  await text('health', 'never-synced')
  await integer('health_since_ms')
  await queries.schema
    .createIndex('sources_by_turn')
    .on('sources')
    .columns(['paused', 'slow', 'next_sync_at_ms', 'format', 'slug'])
    .execute()
  await queries.schema
    .alterTable('syncs')
    .addColumn('died', terms.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** A store that begins with this version has the counter from the first step on. */
async function createEvents(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await queries
    .insertInto('counters')
    .values({ name: 'event_ids', value: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await createTable(
    queries.schema
      .createTable('source_events')
      .addColumn('id', terms.integer, (column) => column.primaryKey().notNull())
      .addColumn('source_id', terms.integer, (column) =>
        column.notNull().references('sources.id').onDelete('cascade'),
      )
      .addColumn('at_ms', terms.integer, (column) => column.notNull())
      .addColumn('was', 'text', (column) => column.notNull())
      .addColumn('became', 'text', (column) => column.notNull())
      .addColumn('why', 'text', (column) => column.notNull()),
    terms,
  )
  await queries.schema
    .createIndex('source_events_by_source')
    .on('source_events')
    .columns(['source_id', 'id'])
    .execute()
}

async function createChores(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('chores')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('until_ms', terms.integer, (column) => column.notNull()),
    terms,
  )
}

async function createOpenSlots(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await createTable(
    queries.schema
      .createTable('open_slots')
      .addColumn('source_id', terms.integer, (column) =>
        column.notNull().references('sources.id').onDelete('cascade'),
      )
      .addColumn('span', 'text', (column) => column.notNull())
      .addColumn('from_ms', terms.integer, (column) => column.notNull())
      .addColumn('counts', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('open_slots_key', ['source_id', 'span', 'from_ms']),
    terms,
  )
}
