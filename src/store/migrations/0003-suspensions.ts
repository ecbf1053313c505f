import type { Kysely } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** The suspension of organizations and accounts. */
export async function addSuspensions(queries: Kysely<Schema>, { integer }: SqlDialect): Promise<void> {
  // The key revision of the last suspension or resumption.
  await add(queries, 'organizations', { ...SUSPENSION, suspension_revision: 'integer' }, integer)
  await add(queries, 'users', SUSPENSION, integer)
}

const SUSPENSION = { suspended_at_ms: 'integer', suspended_by: 'text', suspended_reason: 'text' } as const

async function add(
  queries: Kysely<Schema>,
  table: string,
  columns: Readonly<Record<string, 'integer' | 'text'>>,
  integer: SqlDialect['integer'],
): Promise<void> {
  for (const [name, type] of Object.entries(columns)) {
    const sqlType = type === 'integer' ? integer : type
    await queries.schema.alterTable(table).addColumn(name, sqlType).execute()
  }
}
