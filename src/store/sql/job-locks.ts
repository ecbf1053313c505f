import type { JobLockStore } from '../contracts/store.ts'
import { isLeaseHeld, LEASE_MS_MAX } from './lease.ts'
import { SqlStore } from './sql-store.ts'

/** `JobLockStore` over any database. */
export class SqlJobLockStore extends SqlStore implements JobLockStore {
  /** Reads first, so that a caller that finds the lock taken does not wait for the write lock. */
  async acquire(name: string, owner: string, ms: number): Promise<boolean> {
    const held = await this.queries.selectFrom('job_locks').selectAll().where('name', '=', name).executeTakeFirst()
    if (held !== undefined && held.owner !== owner && isLeaseHeld(held.until_ms, this.now())) return false
    return this.database.transaction('kill', async ({ queries }) => {
      const nowMs = this.now()
      const taken = await queries
        .insertInto('job_locks')
        .values({ name, owner, until_ms: nowMs + ms })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, until_ms: nowMs + ms })
            .where((lock) =>
              lock.or([
                lock('job_locks.owner', '=', owner),
                lock('job_locks.until_ms', '<=', nowMs),
                lock('job_locks.until_ms', '>', nowMs + LEASE_MS_MAX),
              ]),
            ),
        )
        .returning('owner')
        .executeTakeFirst()
      return taken !== undefined
    })
  }
}
