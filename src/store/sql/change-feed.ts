import type { RevisionDelta, RevisionFeed, Revisions } from '../contracts/revision-feed.ts'
import { openRevisionDelta } from './change-set.ts'
import { readCounters } from './counters.ts'
import type { Database } from './database.ts'
import { DELETED_ROWS_MIN, purge } from './purge.ts'

/** `RevisionFeed` over any database: see `../contracts/store.ts`. */
export class SqlRevisionFeed implements RevisionFeed {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async revisions(): Promise<Revisions> {
    const { read } = this.#database
    // The history first: what is read of a new one under the old one's number is read again when that is noticed.
    const history = await this.#database.epoch(read)
    return { epoch: history, ...(await readCounters(read.queries, ['slots', 'keys'])) }
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#database.waitForChange(ms, signal)
  }

  async open(since: number | undefined): Promise<RevisionDelta> {
    const reading = await this.#database.beginRead()
    try {
      return await openRevisionDelta(reading, this.#database, since)
    } catch (error) {
      await reading.close()
      throw error
    }
  }

  purge(retentionMs: number, nowMs: number, deadMin = DELETED_ROWS_MIN): Promise<number> {
    return purge(this.#database, { untilMs: nowMs - retentionMs, nowMs, deadMin })
  }
}
