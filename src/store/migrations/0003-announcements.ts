import { type Kysely, sql } from 'kysely'
import type { Terms } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** Commits call the nodes that follow, where the database can. */
export async function announcements(queries: Kysely<Schema>, terms: Terms): Promise<void> {
  for (const statement of terms.announceChanges) await sql.raw(statement).execute(queries)
}
