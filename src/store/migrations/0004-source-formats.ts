import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** Sources of any format, with a name for people and the times that tell how fresh they are. */
export async function sourceFormats(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  const sources = () => queries.schema.alterTable('sources')
  await sources().addColumn('name', 'text').execute()
  await sources()
    .addColumn('format', 'text', (column) => column.notNull().defaultTo('smart-links'))
    .execute()
  await sources()
    .addColumn('options', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  await sources().addColumn('looked_at_ms', terms.integer).execute()
  await sources().addColumn('published_at_ms', terms.integer).execute()
}
