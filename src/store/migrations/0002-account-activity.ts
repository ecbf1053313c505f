import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** The last sign-in of accounts, and what others changed in them; entries of the service's log by subject. */
export async function addAccountActivity(queries: Kysely<Schema>, { integer }: SqlDialect): Promise<void> {
  for (const column of ['last_sign_in_ms', 'first_notice_id']) {
    await queries.schema.alterTable('users').addColumn(column, integer).execute()
  }
  await queries.schema
    .createIndex('audit_by_subject')
    .on('audit')
    .columns(['subject', 'id'])
    .where(sql.ref('organization_id'), 'is', null)
    .execute()
}
