import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'
import { createTable } from './0001-baseline.ts'

/** The last batch of usage that each process has stored, by which a repeated one is known. */
export async function addUsageBatches(queries: Kysely<Schema>, dialect: SqlDialect): Promise<void> {
  const columns = { meter: 'text#', number: 'integer', stored_at_ms: 'integer' } as const
  await createTable(queries, dialect, 'usage_batches', { columns })
}
