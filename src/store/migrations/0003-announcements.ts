import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** Commits call the nodes that follow, where the database can. */
export async function announcements(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  for (const statement of terms.notifyChanges) await sql.raw(statement).execute(queries)
}
