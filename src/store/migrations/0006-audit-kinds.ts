import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** The entries of a kind in an audit log: each start reads the accounts that were deleted, and people filter by kind. */
export async function indexAuditKinds(queries: Kysely<Schema>): Promise<void> {
  await queries.schema.createIndex('audit_by_kind').on('audit').columns(['organization_id', 'kind', 'id']).execute()
}
