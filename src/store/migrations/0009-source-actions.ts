import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './create-table.ts'

/** What operators did to sources. No reference to the source: who removed it is to be found as well. */
export async function sourceActions(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  // A store that begins with this version has the counter from the first step on.
  await queries
    .insertInto('counters')
    .values({ name: 'action_ids', value: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await createTable(
    queries.schema
      .createTable('source_actions')
      .addColumn('id', terms.integer, (column) => column.primaryKey().notNull())
      .addColumn('at_ms', terms.integer, (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('actor_user_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('actor_address', 'text')
      .addColumn('detail', 'text', (column) => column.notNull()),
    terms,
  )
  for (const [name, columns] of INDEXES) {
    await queries.schema.createIndex(name).on('source_actions').columns(columns).execute()
  }
}

const INDEXES: readonly (readonly [name: string, columns: string[]])[] = [
  ['source_actions_by_slug', ['slug', 'id']],
  ['source_actions_by_kind', ['slug', 'kind', 'id']],
]
