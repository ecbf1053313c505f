import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** The id of the user who created an invitation; null for the command line and for invitations of earlier versions. */
export async function addInviters(queries: Kysely<Schema>): Promise<void> {
  await queries.schema.alterTable('invitations').addColumn('created_by_id', 'text').execute()
}
