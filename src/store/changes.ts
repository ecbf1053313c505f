import { openChangeSet } from './change-set.ts'
import { readCounters } from './counters.ts'
import type { Database } from './database.ts'
import { purge } from './purge.ts'
import type { ChangeFeed, ChangeSet, Revisions } from './store.ts'

/** `ChangeFeed` over any database: see `store.ts`. */
export class SqlChangeFeed implements ChangeFeed {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  revisions(): Promise<Revisions> {
    return readCounters(this.#database.read.queries, ['slots', 'keys'])
  }

  async open(since: number | undefined): Promise<ChangeSet> {
    const reading = await this.#database.openReading()
    try {
      return await openChangeSet(reading, this.#database.terms, since)
    } catch (error) {
      await reading.close()
      throw error
    }
  }

  purge(retentionMs: number, nowMs: number): Promise<number> {
    return purge(this.#database, nowMs - retentionMs)
  }
}
