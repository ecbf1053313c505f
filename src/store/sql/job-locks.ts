import type { JobLockStore } from '../contracts/store.ts'
import type { Database } from './database.ts'

/** `JobLockStore` over any database: see `../contracts/source-watch.ts`. */
export class SqlJobLockStore implements JobLockStore {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Who comes in vain reads and writes nothing. */
  async acquire(name: string, owner: string, ms: number): Promise<boolean> {
    const nowMs = this.#now()
    const held = await this.#database.read.queries
      .selectFrom('job_locks')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst()
    if (held !== undefined && held.owner !== owner && held.until_ms > nowMs) return false
    return this.#database.transaction('kill', async ({ queries }) => {
      const taken = await queries
        .insertInto('job_locks')
        .values({ name, owner, until_ms: nowMs + ms })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, until_ms: nowMs + ms })
            .where((chore) =>
              chore.or([chore('job_locks.owner', '=', owner), chore('job_locks.until_ms', '<=', nowMs)]),
            ),
        )
        .returning('owner')
        .executeTakeFirst()
      return taken !== undefined
    })
  }
}
