import { nextTurn } from '../../../lib/next-turn.ts'
import { defined } from '../../../lib/optional.ts'
import { filterValuesOf, identifierNamesOf, type Matcher, matcherOf } from '../../../slot/filter-values.ts'
import { formatRevision, type Revision } from '../../../slot/revision.ts'
import { encodeOffering, type Offering, type Slot } from '../../../slot/slot.ts'
import type { SlotFilters } from '../../../slot/slot-filters.ts'
import { type ChangeLogEntry, type ChangeLogReader, positionAfter } from '../../../store/contracts/change-log.ts'
import type { InsertedSlot } from '../../../store/contracts/revision-feed.ts'
import { Problem } from '../../problem.ts'
import type { ChangesQuery } from './list-changes.ts'

/** A change, and where to continue after it. */
interface PositionedChange {
  /** A JSON object. */
  readonly json: string
  readonly revision: Revision
}

/** One page of changes. */
export interface ChangesPage {
  readonly changes: readonly PositionedChange[]
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
  const page = new PageDraft(log.store, query.limit)
  let position = query.since
  for (let batches = 0; batches < BATCHES_MAX && !page.isFull && position.revision < log.newest; batches++) {
    const rowsMax = batches === 0 ? Math.min(Math.max(query.limit, BATCH_ROWS_MIN), BATCH_ROWS_MAX) : BATCH_ROWS_MAX
    const { rows, end } = await log.read(position, rowsMax)
    await slots.load(rows)
    const taken = page.take(rows, slots)
    position = taken < rows.length ? positionAfter(log.store, rows[taken - 1]) : end
    await nextTurn()
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
  readonly changes: PositionedChange[] = []
  readonly #store: number
  readonly #limit: number
  #bytes = 0

  constructor(store: number, limit: number) {
    this.#store = store
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.changes.length >= this.#limit || this.#bytes >= BYTES_MAX
  }

  /** Adds the changes of rows until the page is full. Returns the number of rows that were used. */
  take(rows: readonly ChangeLogEntry[], slots: MatchingSlots): number {
    let taken = 0
    while (taken < rows.length && !this.isFull) {
      const row = rows[taken++]
      const json = changeOf(row, slots)
      if (json === undefined) continue
      this.changes.push({ json, revision: positionAfter(this.#store, row) })
      this.#bytes += json.length
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

/** The shared part of a slot's JSON, and whether the offering matches. */
interface LoadedOffering {
  readonly rest: string
  readonly matches: boolean
  /** It has one of the identifiers that are asked for, or none is. */
  readonly hasIdentifier: boolean
}

/** Filters the slots of a change log and encodes them as `/v1` serves them. Matches each offering once. */
class MatchingSlots {
  readonly #filters: SlotFilters
  readonly #log: ChangeLogReader
  readonly #nowMs: number
  readonly #matcher: Matcher | undefined
  readonly #hasIdentifier: Matcher | undefined
  readonly #offerings = new Map<number, LoadedOffering>()

  constructor(filters: SlotFilters, log: ChangeLogReader, nowMs: number) {
    this.#filters = filters
    this.#log = log
    this.#nowMs = nowMs
    const { status, identifiers, ...others } = filters
    this.#matcher = matcherOf({ status, ...others })
    this.#hasIdentifier = matcherOf({ status, ...defined({ identifiers }) })
  }

  /** Loads the offerings of rows that may match. Await it before `find()`. */
  async load(rows: readonly ChangeLogEntry[]): Promise<void> {
    const missing = new Set<number>()
    for (const { slot } of rows) {
      if (slot !== undefined && this.#matchesOwn(slot) && !this.#offerings.has(slot.offeringId))
        missing.add(slot.offeringId)
    }
    if (missing.size === 0) return
    for (const { id, json } of await this.#log.offerings([...missing])) {
      const offering: Offering = JSON.parse(json)
      const values = filterValuesOf(offering)
      const matches = this.#matcher?.(values) ?? true
      const hasIdentifier = this.#hasIdentifier?.(values) ?? true
      this.#offerings.set(id, { rest: encodeOffering(offering), matches, hasIdentifier })
    }
  }

  /** The slot as `/v1` serves it, if it matches. */
  find(slot: InsertedSlot): string | undefined {
    if (!this.#matchesOwn(slot)) return undefined
    const offering = this.#offerings.get(slot.offeringId)
    if (offering === undefined)
      throw new Error(`Cannot encode slot "${slot.id}": its offering ${slot.offeringId} is not stored`)
    const matches = offering.matches && (offering.hasIdentifier || this.#hasOwnIdentifier(slot))
    return matches ? slot.json + offering.rest : undefined
  }

  #hasOwnIdentifier({ json }: InsertedSlot): boolean {
    const { identifier = [] }: Pick<Slot, 'identifier'> = JSON.parse(`${json}}`)
    return identifierNamesOf(identifier).some((name) => this.#filters.identifiers?.includes(name))
  }

  /** Applies the filters on the slot's own fields: status, times and duration. */
  #matchesOwn({ status, startMs, endMs }: InsertedSlot): boolean {
    const { startAfterMs, startBeforeMs, minDurationMs } = this.#filters
    if (status !== this.#filters.status) return false
    if (startAfterMs === undefined ? endMs <= this.#nowMs : startMs < startAfterMs) return false
    if (startBeforeMs !== undefined && startMs > startBeforeMs) return false
    return minDurationMs === undefined || endMs - startMs >= minDurationMs
  }
}
