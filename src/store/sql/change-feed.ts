import type { ChangeFeed, ChangeSet, Revisions } from '../contracts/store.ts'
import { openChangeSet } from './change-set.ts'
import { readCounters } from './counters.ts'
import type { Database } from './database.ts'
import { DEAD_MIN, purge } from './purge.ts'

/** `ChangeFeed` over any database: see `../contracts/store.ts`. */
export class SqlChangeFeed implements ChangeFeed {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async revisions(): Promise<Revisions> {
    const { read } = this.#database
    // The history first: what is read of a new one under the old one's number is read again when that is noticed.
    const history = await this.#database.history(read)
    return { history, ...(await readCounters(read.queries, ['slots', 'keys'])) }
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#database.waitForChange(ms, signal)
  }

  async open(since: number | undefined): Promise<ChangeSet> {
    const reading = await this.#database.openReading()
    try {
      return await openChangeSet(reading, this.#database, since)
    } catch (error) {
      await reading.close()
      throw error
    }
  }

  purge(retentionMs: number, nowMs: number, deadMin = DEAD_MIN): Promise<number> {
    return purge(this.#database, { untilMs: nowMs - retentionMs, nowMs, deadMin })
  }
}
