import { setImmediate } from 'node:timers/promises'
import type { ChangesQuery } from '../../../slot/changes-query.ts'
import { formatRevision, type Revision } from '../../../slot/revision.ts'
import {
  type ChangeLogEntry,
  type ChangeLogReader,
  positionAfter,
} from '../../../store/contracts/change-log.ts'
import { Problem } from '../../problem.ts'
import { WantedSlots } from './requested-slots.ts'

/** One page of changes. */
export interface ChangesPage {
  /** Each as JSON. */
  readonly changes: readonly string[]
  /** From where to go on. */
  readonly revision: Revision
  /** More was committed than this page tells; it may be empty all the same, where nothing of it matters to the query. */
  readonly hasMore: boolean
}

/**
 * What bounds a page beside its limit, where filters leave much out: so many pieces of the log are read for it, each of so
 * many rows, and no more once there is this much to send.
 */
const PIECES_MAX = 6
const PIECE_ROWS_MAX = 1000
const PIECE_ROWS_MIN = 100
const BYTES_MAX = 4 * 1024 * 1024

/**
 * The next changes after a revision, in the order of commits. Who applies all pages in their order holds what lives.
 *
 *     born, and matches                 added, or changed if it lived before
 *     born, lived before, not matching  removed: it may have matched
 *     born, not matching                nothing
 *     died, and is not born again       removed, whether it matched or not
 *
 * Throws `Problem('gone')` if one cannot go on from the revision.
 */
export async function readChanges(
  log: ChangeLogReader,
  query: ChangesQuery,
  nowMs: number,
): Promise<ChangesPage> {
  requireReach(query.since, log)
  const wanted = new WantedSlots(query, log, nowMs)
  const page = new PageDraft(query.limit)
  let place = query.since
  for (let pieces = 0; pieces < PIECES_MAX && !page.isFull && place.revision < log.newest; pieces++) {
    const rowsMax =
      pieces === 0 ? Math.min(Math.max(query.limit, PIECE_ROWS_MIN), PIECE_ROWS_MAX) : PIECE_ROWS_MAX
    const { rows, end } = await log.read(place, rowsMax)
    await wanted.meet(rows)
    const taken = page.take(rows, wanted)
    place = taken < rows.length ? positionAfter(log.store, rows[taken - 1]) : end
    // A store in this thread answers without ever leaving the queue of microtasks; people who sign in wait beside it.
    await setImmediate()
  }
  return { changes: page.changes, revision: place, hasMore: place.revision < log.newest }
}

function requireReach(since: Revision, log: ChangeLogReader): void {
  if (since.store === log.store && since.revision >= log.oldest && since.revision <= log.newest) return
  throw new Problem(
    'gone',
    `Changes since this revision are not known any more: got "${formatRevision(since)}". Export all slots again and go on from there.`,
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

  /** Tells of rows until the page is full. Returns how many were told. */
  take(rows: readonly ChangeLogEntry[], wanted: WantedSlots): number {
    let taken = 0
    while (taken < rows.length && !this.isFull) {
      const change = changeOf(rows[taken++], wanted)
      if (change === undefined) continue
      this.changes.push(change)
      this.#bytes += change.length
    }
    return taken
  }
}

function changeOf(row: ChangeLogEntry, wanted: WantedSlots): string | undefined {
  if (row.phase === 'died') return row.changed ? undefined : removed(row)
  if (row.slot === undefined) return undefined
  const slot = wanted.find(row.slot)
  if (slot !== undefined) return `{"change":"${row.changed ? 'changed' : 'added'}","slot":${slot}}`
  return row.changed ? removed(row) : undefined
}

function removed({ id, startMs }: ChangeLogEntry): string {
  return JSON.stringify({ change: 'removed', id, start: new Date(startMs).toISOString() })
}
