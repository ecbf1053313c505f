import { HOUR_MS } from '../../lib/time.ts'
import type { JobLockStore } from '../contracts/store.ts'
import { SqlStore } from './sql-store.ts'

/** No lock lasts longer: one that seems to was taken by a clock that was ahead, and its owner may be gone. */
const LOCK_MS_MAX = HOUR_MS

/** `JobLockStore` over any database. */
export class SqlJobLockStore extends SqlStore implements JobLockStore {
  /** Reads first, so that a caller that finds the lock taken does not wait for the write lock. */
  async acquire(name: string, owner: string, ms: number): Promise<boolean> {
    const held = await this.queries.selectFrom('job_locks').selectAll().where('name', '=', name).executeTakeFirst()
    const leftMs = held === undefined ? 0 : held.until_ms - this.now()
    if (held?.owner !== owner && leftMs > 0 && leftMs <= LOCK_MS_MAX) return false
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
                lock('job_locks.until_ms', '>', nowMs + LOCK_MS_MAX),
              ]),
            ),
        )
        .returning('owner')
        .executeTakeFirst()
      return taken !== undefined
    })
  }
}
