import { randomInt } from 'node:crypto'
import { migrate } from '../migrations/migrate.ts'
import { openUnused } from '../move/exclusive-use.ts'

/**
 * Gives a store another number, so that no revision, tag or file of the feed that was handed out before is taken for one of now. For
 * a back-up that was brought back in a way that does not show. Throws if a service has the store open: it would go on under the old number.
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
