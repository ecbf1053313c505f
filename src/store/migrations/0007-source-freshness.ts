import type { Kysely } from 'kysely'
import type { Schema } from '../sql/schema.ts'

/**
 * All that is read of the sources every second, in one index: in a row of SQLite it stands behind what the connector remembers,
 * and a thousand sources that remember 200 kB each took 23 ms to read instead of a half.
 */
export async function sourceFreshness(queries: Kysely<Schema>): Promise<void> {
  await queries.schema
    .createIndex('sources_by_freshness')
    .on('sources')
    .columns([
      'slug',
      'name',
      'paused',
      'health',
      'looked_at_ms',
      'published_at_ms',
      'changed_at_ms',
      'next_sync_at_ms',
    ])
    .execute()
}
