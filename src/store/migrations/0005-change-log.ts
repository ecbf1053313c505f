import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../sql/database.ts'
import type { Schema } from '../sql/schema.ts'

/** What was born and what died of each sync can be read in pieces by key, and a changed slot is told from one that is new. */
export async function changeLog(queries: Kysely<Schema>, terms: SqlDialect): Promise<void> {
  await queries.schema.alterTable('slots').addColumn('replaces', terms.integer).execute()
  const index = (name: string) => queries.schema.createIndex(name).on('slots')
  await index('slots_by_replaced').column('replaces').where(sql.ref('replaces'), 'is not', null).execute()
  if (terms.indexKeyColumns.length === 0) return
  for (const name of ['slots_by_birth', 'slots_by_death', 'slots_by_source']) {
    await queries.schema.dropIndex(name).execute()
  }
  await index('slots_by_birth')
    .columns(['born_sync', ...terms.indexKeyColumns])
    .execute()
  await index('slots_by_death')
    .columns(['died_sync', ...terms.indexKeyColumns])
    .where(sql.ref('died_sync'), 'is not', null)
    .execute()
  await index('slots_by_source')
    .columns(['source_id', ...terms.indexKeyColumns])
    .where(sql.ref('died_sync'), 'is', null)
    .execute()
}
