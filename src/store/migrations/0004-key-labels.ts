import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** The note of a key, and as JSON the networks that can use it. */
export async function addKeyLabels(queries: Kysely<Schema>): Promise<void> {
  for (const name of ['note', 'networks']) await queries.schema.alterTable('api_keys').addColumn(name, 'text').execute()
}
