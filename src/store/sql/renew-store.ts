import { randomInt } from 'node:crypto'
import { migrate } from '../migrations/migrate.ts'
import { openUnused } from '../move/exclusive-use.ts'

/**
 * Starts a new store epoch, which invalidates all published revisions, entity tags and feed files: for a restored backup that was not
 * detected. Throws if a service has the store open, because it would continue in the old epoch.
 */
export async function renewStore(databaseUrl: string, nowMs: number): Promise<void> {
  const database = await openUnused(databaseUrl, { task: 'renew', which: 'the store' })
  try {
    await migrate(database, nowMs)
    await database.transaction('power-cut', ({ queries }) =>
      queries
        .updateTable('counters')
        .set({ value: randomInt(2 ** 40) })
        .where('name', '=', 'store')
        .execute(),
    )
  } finally {
    await database.close()
  }
}
