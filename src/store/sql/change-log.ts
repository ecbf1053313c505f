import { sql } from 'kysely'
import type { CommitPosition, Revision } from '../../slot/revision.ts'
import { SLOT_STATUSES } from '../../slot/slot.ts'
import type { ChangeLog, ChangeLogEntry, ChangeLogPage, ChangeLogReader } from '../contracts/change-log.ts'
import { openSyncs } from './abandoned-syncs.ts'
import { readCounters } from './counters.ts'
import type { Database, ReadTransaction, SlotGroup } from './database.ts'
import { readOfferings, removedSources, storeNumber } from './revision-feed.ts'
import type { SyncRow } from './schema.ts'

/** So many commits are looked through for one piece: each costs two statements, also one that holds few rows. */
const COMMITS_MAX = 40

/** `ChangeLog` over any database. */
export class SqlChangeLog implements ChangeLog {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async open(): Promise<ChangeLogReader> {
    const reading = await this.#database.beginRead()
    try {
      const { slots, purged, store } = await readCounters(reading.queries, ['slots', 'purged', 'store'])
      const history = await this.#database.epoch(reading)
      const bounds = { store: storeNumber(store, history), newest: slots, oldest: purged }
      return new SqlLogReading(reading, this.#database, bounds)
    } catch (error) {
      await reading.close()
      throw error
    }
  }
}

/** A commit, as the log reads it. */
type Commit = Pick<SyncRow, 'id' | 'source_id' | 'removal'> & { readonly revision: number }

/** What decides whether a row lives. */
interface Moment {
  readonly open: ReadonlySet<number>
  /** Sources that are gone, and whose rows are not yet deleted. */
  readonly removed: ReadonlySet<number>
}

/** Rows of one phase of a commit. */
interface Stretch {
  readonly rows: readonly ChangeLogEntry[]
  /** How many were looked at. */
  readonly read: number
  /** Of the last that was looked at. */
  readonly lastKey: number
}

class SqlLogReading implements ChangeLogReader {
  readonly store: number
  readonly newest: number
  readonly oldest: number
  readonly #reading: ReadTransaction
  readonly #database: Database
  #moment: Promise<Moment> | undefined

  constructor(
    reading: ReadTransaction,
    database: Database,
    bounds: { store: number; newest: number; oldest: number },
  ) {
    this.#reading = reading
    this.#database = database
    this.store = bounds.store
    this.newest = bounds.newest
    this.oldest = bounds.oldest
  }

  async read(after: Revision, rowsMax: number): Promise<ChangeLogPage> {
    const rows: ChangeLogEntry[] = []
    let { revision, within } = after
    let left = rowsMax
    for (const commit of await this.#commitsAfter(revision)) {
      for (const phase of phasesOf(commit, within)) {
        const stretch = await this.#stretch(commit, { phase, key: keyIn(phase, within) }, left)
        rows.push(...stretch.rows)
        left -= stretch.read
        if (left === 0) {
          return { rows, end: { store: this.store, revision, within: { phase, key: stretch.lastKey } } }
        }
      }
      revision = commit.revision
      within = undefined
    }
    return { rows, end: { store: this.store, revision } }
  }

  offerings(ids: readonly number[]): Promise<{ id: number; json: string }[]> {
    return readOfferings(this.#reading, this.#database.sqlDialect, ids)
  }

  close(): Promise<void> {
    return this.#reading.close()
  }

  async #commitsAfter(revision: number): Promise<Commit[]> {
    const rows = await this.#reading.queries
      .selectFrom('syncs')
      .select(['id', 'source_id', 'removal', 'revision'])
      .where('revision', '>', revision)
      .orderBy('revision')
      .limit(COMMITS_MAX)
      .execute()
    return rows.map((row) => ({ ...row, revision: row.revision ?? 0 }))
  }

  #stretch(commit: Commit, after: CommitPosition, rowsMax: number): Promise<Stretch> {
    if (commit.removal === 1) return this.#removed(commit, after.key, rowsMax)
    return after.phase === 'died'
      ? this.#died(commit, after.key, rowsMax)
      : this.#born(commit, after.key, rowsMax)
  }

  /** How many successors a row has (one, or none) is asked row by row: a join could be planned as a pass over all there are. */
  async #died(commit: Commit, afterKey: number, rowsMax: number): Promise<Stretch> {
    const successors = sql<number>`(select count(*) from slots as successor where successor.replaces = slots.key)`
    const query = this.#rows(['deleted_sync', commit.id], afterKey, rowsMax).select([
      'id',
      'start_ms',
      successors.as('successors'),
    ])
    const found = await this.#reading.arrays(query.compile())
    const rows = found.map((row) => ({ ...deathOf(commit, row), changed: Number(row[3]) > 0 }))
    return stretchOf(rows, found, afterKey)
  }

  async #born(commit: Commit, afterKey: number, rowsMax: number): Promise<Stretch> {
    const query = this.#rows(['inserted_sync', commit.id], afterKey, rowsMax).select([
      'id',
      'start_ms',
      'end_ms',
      'offering_id',
      'status',
      'json',
      'replaces',
      'deleted_sync',
    ])
    const found = await this.#reading.arrays(query.compile())
    const moment = await this.#now()
    return stretchOf(
      found.map((row) => birthOf(commit, row as BirthRow, moment)),
      found,
      afterKey,
    )
  }

  /** What a sync was killing when its source was removed lived until then, and one that is open may still be giving it back. */
  async #removed(commit: Commit, afterKey: number, rowsMax: number): Promise<Stretch> {
    const { open } = await this.#now()
    const killing = await openSyncs(this.#reading.queries, commit.source_id)
    const queries = [
      this.#rows(['source_id', commit.source_id], afterKey, rowsMax).where('deleted_sync', 'is', null),
      ...killing.map((syncId) => this.#rows(['deleted_sync', syncId], afterKey, rowsMax)),
    ]
    const parts: (readonly (readonly unknown[])[])[] = []
    for (const query of queries) {
      parts.push(await this.#reading.arrays(query.select(['id', 'start_ms', 'inserted_sync']).compile()))
    }
    const found = parts
      .flat()
      .sort((one, other) => Number(one[0]) - Number(other[0]))
      .slice(0, rowsMax)
    const lived = found.filter((row) => !open.has(Number(row[3])))
    return stretchOf(
      lived.map((row) => deathOf(commit, row)),
      found,
      afterKey,
    )
  }

  #rows(group: SlotGroup, afterKey: number, rowsMax: number) {
    const [column] = group
    return this.#reading.queries
      .selectFrom('slots')
      .select('key')
      .where(this.#database.sqlDialect.inGroup(group, afterKey))
      .orderBy(column)
      .orderBy('key')
      .limit(rowsMax)
  }

  #now(): Promise<Moment> {
    this.#moment ??= readMoment(this.#reading)
    return this.#moment
  }
}

async function readMoment(reading: ReadTransaction): Promise<Moment> {
  const open = await openSyncs(reading.queries)
  const removed = await removedSources(reading)
  return { open: new Set(open), removed: new Set(removed) }
}

/** The phases of a commit that are not told yet. */
function phasesOf({ removal }: Commit, within: CommitPosition | undefined): CommitPosition['phase'][] {
  if (removal === 1) return ['died']
  return within?.phase === 'born' ? ['born'] : ['died', 'born']
}

function keyIn(phase: CommitPosition['phase'], within: CommitPosition | undefined): number {
  return within?.phase === phase ? within.key : 0
}

function stretchOf(
  rows: readonly ChangeLogEntry[],
  found: readonly (readonly unknown[])[],
  afterKey: number,
): Stretch {
  return { rows, read: found.length, lastKey: Number(found.at(-1)?.[0] ?? afterKey) }
}

function deathOf({ revision }: Commit, [key, id, startMs]: readonly unknown[]): ChangeLogEntry {
  return {
    revision,
    phase: 'died',
    key: Number(key),
    id: String(id),
    startMs: Number(startMs),
    changed: false,
  }
}

type BirthRow = [
  number,
  string,
  number,
  number,
  number,
  number,
  string,
  ...replaces: [number | null, number | null],
]

function birthOf(commit: Commit, row: BirthRow, { open, removed }: Moment): ChangeLogEntry {
  const [key, id, startMs, endMs, offeringId, status, json, replaces, diedSync] = row
  const lives = (diedSync === null || open.has(diedSync)) && !removed.has(commit.source_id)
  const slot = { id, offeringId, status: SLOT_STATUSES[status], startMs, endMs, json }
  return {
    revision: commit.revision,
    phase: 'born',
    key,
    id,
    startMs,
    changed: replaces !== null,
    ...(lives && { slot }),
  }
}
