import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './create-table.ts'

/** What was told of sources that are in trouble, and what is on its way to those who are told. */
export async function alerts(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  // A store that begins with this version has the counter from the first step on.
  await queries
    .insertInto('counters')
    .values({ name: 'alert_ids', value: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // No reference to the source: that it was removed is yet to be told.
  await createTable(
    queries.schema
      .createTable('alerts')
      .addColumn('source_id', terms.integer, (column) => column.primaryKey().notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('health', 'text', (column) => column.notNull()),
    terms,
  )
  await createTable(
    queries.schema
      .createTable('alert_messages')
      .addColumn('id', terms.integer, (column) => column.primaryKey().notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('created_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('attempts', terms.integer, (column) => column.notNull())
      .addColumn('next_attempt_at_ms', terms.integer, (column) => column.notNull())
      .addColumn('ended_at_ms', terms.integer)
      .addColumn('outcome', 'text'),
    terms,
  )
  await index(queries, 'alert_messages_by_outcome', ['outcome', 'channel', 'id'])
  await index(queries, 'alert_messages_by_age', ['created_at_ms'])
}

async function index(queries: Kysely<Schema>, name: string, columns: string[]): Promise<void> {
  await queries.schema.createIndex(name).on('alert_messages').columns(columns).execute()
}
