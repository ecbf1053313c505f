import { setImmediate } from 'node:timers/promises'
import { formatRevision, type Revision } from '../../../slot/revision.ts'
import { type ChangeLogEntry, type ChangeLogReader, positionAfter } from '../../../store/contracts/change-log.ts'
import { Problem } from '../../problem.ts'
import type { ChangesQuery } from './list-changes.ts'
import { MatchingSlots } from './matching-slots.ts'

/** One page of changes. */
export interface ChangesPage {
  /** JSON objects. */
  readonly changes: readonly string[]
  /** The revision to continue from. */
  readonly revision: Revision
  /** More was committed after this page. The next page may still be empty if nothing of it matches. */
  readonly hasMore: boolean
}

/** Bounds of the work for one page: batches of log rows, rows per batch, and bytes of its changes. */
const BATCHES_MAX = 6
const BATCH_ROWS_MAX = 1000
const BATCH_ROWS_MIN = 100
const BYTES_MAX = 4 * 1024 * 1024

/**
 * The next changes after a revision, in commit order. Applying all pages in order to an export gives the current slots.
 *
 *     log row                                   change
 *     inserted, matches                         added, or changed if the slot existed before
 *     inserted, existed before, does not match  removed: the old version may have matched
 *     inserted, does not match                  none
 *     deleted, not inserted again               removed, whether it matched or not
 *
 * Throws `Problem('gone')` if the log does not reach back to the revision.
 */
export async function readChanges(log: ChangeLogReader, query: ChangesQuery, nowMs: number): Promise<ChangesPage> {
  requireReach(query.since, log)
  const slots = new MatchingSlots(query, log, nowMs)
  const page = new PageDraft(query.limit)
  let position = query.since
  for (let batches = 0; batches < BATCHES_MAX && !page.isFull && position.revision < log.newest; batches++) {
    const rowsMax = batches === 0 ? Math.min(Math.max(query.limit, BATCH_ROWS_MIN), BATCH_ROWS_MAX) : BATCH_ROWS_MAX
    const { rows, end } = await log.read(position, rowsMax)
    await slots.load(rows)
    const taken = page.take(rows, slots)
    position = taken < rows.length ? positionAfter(log.store, rows[taken - 1]) : end
    // SQLite responds within microtasks, which would starve the other requests of this thread.
    await setImmediate()
  }
  return { changes: page.changes, revision: position, hasMore: position.revision < log.newest }
}

function requireReach(since: Revision, log: ChangeLogReader): void {
  if (since.store === log.store && since.revision >= log.oldest && since.revision <= log.newest) return
  throw new Problem(
    'gone',
    `Changes since revision "${formatRevision(since)}" are no longer available. Export all slots again and continue from the new revision.`,
  )
}

class PageDraft {
  readonly changes: string[] = []
  readonly #limit: number
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.changes.length >= this.#limit || this.#bytes >= BYTES_MAX
  }

  /** Adds the changes of rows until the page is full. Returns the number of rows that were used. */
  take(rows: readonly ChangeLogEntry[], slots: MatchingSlots): number {
    let taken = 0
    while (taken < rows.length && !this.isFull) {
      const change = changeOf(rows[taken++], slots)
      if (change === undefined) continue
      this.changes.push(change)
      this.#bytes += change.length
    }
    return taken
  }
}

function changeOf(row: ChangeLogEntry, slots: MatchingSlots): string | undefined {
  if (row.phase === 'deleted') return row.changed ? undefined : removed(row)
  if (row.slot === undefined) return undefined
  const slot = slots.find(row.slot)
  if (slot !== undefined) return `{"change":"${row.changed ? 'changed' : 'added'}","slot":${slot}}`
  return row.changed ? removed(row) : undefined
}

function removed({ id, startMs }: ChangeLogEntry): string {
  return JSON.stringify({ change: 'removed', id, start: new Date(startMs).toISOString() })
}
