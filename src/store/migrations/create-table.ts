import { type CreateTableBuilder, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'

/** Creates a table with the ending that this kind of database wants. */
export async function createTable<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  terms: SqlDialect,
): Promise<void> {
  await table.modifyEnd(sql.raw(terms.tableEnd)).execute()
}
