import type { Steps } from '../lib/steps.ts'
import type { PublishedHorizons } from '../slot/planning-horizon.ts'
import { SLOT_STATUSES } from '../slot/slot.ts'
import type { SlotEntry, SlotKey } from './index-builder.ts'
import { type CommittedRevision, type IndexContent, STATUS_NUMBER } from './index-content.ts'
import type { SortedRows } from './runs/build-run.ts'
import { findRow, type Levels, levelsOf, type RunContext, type RunState, withoutRows, withRows } from './runs/levels.ts'
import type { SlotTexts } from './runs/slot-texts.ts'
import { StatusPackers } from './runs/status-packers.ts'
import { type SharedHorizons, shareHorizons } from './shared-horizons.ts'
import { idBitsOf } from './slot-ids.ts'

/** A change that is not committed. */
export class PendingChange {
  readonly before: IndexContent
  readonly #isWhole: boolean
  readonly #packers: StatusPackers
  /** By status: built elsewhere from the blocks that were taken. */
  #built: readonly Levels[] | undefined
  readonly #removed: readonly Map<RunState, number[]>[]
  /** Terms of the states in which slots change. */
  readonly #homes = new Set<number>()
  readonly #horizons: Map<string, SharedHorizons>
  #lastDrop: number
  #missing: number

  constructor(before: IndexContent, texts: SlotTexts, isWhole: boolean) {
    this.before = before
    this.#isWhole = isWhole
    this.#packers = new StatusPackers(texts)
    this.#removed = SLOT_STATUSES.map(() => new Map())
    this.#lastDrop = before.lastDrop
    this.#missing = before.missing
    this.#horizons = new Map(before.horizons)
  }

  remove({ id, startMs }: SlotKey): void {
    const key = { startMs, idBits: idBitsOf(id) }
    for (const [status, levels] of this.before.levels.entries()) {
      const found = findRow(levels, key)
      if (found === undefined) continue
      const rows = this.#removed[status].get(found.state)
      if (rows === undefined) this.#removed[status].set(found.state, [found.row])
      else rows.push(found.row)
      this.#homes.add(this.#homeOf(found.state.run.offeringOf(found.row)))
      return
    }
    if (this.#missing === 0) throw new Error(`Cannot remove slot "${id}": it is not in the index`)
    this.#missing--
  }

  put(slot: SlotEntry, offering: number): void {
    this.#packers.add(STATUS_NUMBER[slot.status], slot, offering)
    this.#homes.add(this.#homeOf(offering))
  }

  /** Adds blocks by status, whose slots are of these offerings. */
  putBlocks(blocks: readonly (readonly SortedRows[])[], offerings: readonly number[]): void {
    this.#packers.push(blocks)
    for (const offering of offerings) this.#homes.add(this.#homeOf(offering))
  }

  /** The blocks by status, to be replaced by the runs that are built from them. */
  takeBlocks(): SortedRows[][] {
    return this.#packers.take()
  }

  putBuilt(levels: readonly Levels[]): void {
    this.#built = levels
  }

  putDirectory(published: readonly PublishedHorizons[], lastDrop: number): void {
    this.#lastDrop = Math.max(this.#lastDrop, lastDrop)
    for (const each of published) this.#horizons.set(each.publisher, shareHorizons(each))
  }

  *finish(context: RunContext, committed: CommittedRevision, leftOut: number): Steps<IndexContent> {
    const levels = this.#built ?? (yield* this.#buildLevels(context))
    const homeRevisions = new Map(this.before.homeRevisions)
    for (const home of this.#homes) homeRevisions.set(home, committed.revision)
    const directory = { lastDrop: this.#lastDrop, horizons: this.#horizons }
    return { ...this.before, levels, homeRevisions, ...directory, committed, missing: this.#missing + leftOut }
  }

  *#buildLevels(context: RunContext): Steps<Levels[]> {
    const levels: Levels[] = []
    for (const [status, blocks] of this.#packers.take().entries()) {
      const removed = this.#removed[status]
      if (this.#isWhole) levels.push(yield* levelsOf(blocks, context))
      else levels.push(yield* changed(this.before.levels[status], { removed, blocks }, context))
    }
    return levels
  }

  #homeOf(offering: number): number {
    return this.before.tables.offerings.homeOf.values[offering]
  }
}

function* changed(
  before: Levels,
  { removed, blocks }: { removed: ReadonlyMap<RunState, readonly number[]>; blocks: readonly SortedRows[] },
  context: RunContext,
): Steps<Levels> {
  let levels = before
  if (removed.size > 0) levels = withoutRows(levels, removed, context)
  yield
  for (const block of blocks) {
    levels = withRows(levels, block, context)
    yield
  }
  return levels
}
