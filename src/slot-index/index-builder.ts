import { runAtOnce, type Steps } from '../lib/steps.ts'
import type { PublishedHorizons } from '../slot/planning-horizon.ts'
import { type Offering, SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { ContentReceiver, type SentContent } from './content-transfer.ts'
import { type CommittedRevision, emptyContent, type IndexContent, STATUS_NUMBER } from './index-content.ts'
import { OfferingNumbers } from './offering-numbers.ts'
import type { SortedRows } from './runs/build-run.ts'
import {
  beginMerge,
  findRow,
  isMergeDue,
  LEVEL_LIMITS,
  type LevelLimits,
  type LevelMerge,
  type Levels,
  levelsOf,
  mergeNext,
  type RunContext,
  type RunState,
  runsIn,
  withoutRows,
  withRows,
} from './runs/levels.ts'
import { RowPacker } from './runs/pack-rows.ts'
import { RUN_ROWS_MAX } from './runs/run-layout.ts'
import { SlotTexts } from './runs/slot-texts.ts'
import { type SharedHorizons, shareHorizons } from './shared-horizons.ts'
import { idBitsOf } from './slot-ids.ts'

/** Bytes that the end of a change needs for each slot that it adds: the row in its run, with its posting lists. */
export const PENDING_SLOT_BYTES = 120

/** A slot to be added. */
export interface SlotEntry {
  readonly status: SlotStatus
  readonly startMs: number
  readonly endMs: number
  /** In the store. */
  readonly offeringId: number
  /** See `encodeSlot()`. */
  readonly json: string
}

/** A slot to be removed. */
export interface SlotKey {
  readonly id: string
  readonly startMs: number
}

/** When runs are merged, and when everything is to be loaded again. */
export interface BuilderLimits extends LevelLimits {
  /** So many offerings without slots are kept, or as many as there are with slots. */
  readonly unusedOfferingsMax: number
}

const LIMITS: BuilderLimits = { ...LEVEL_LIMITS, unusedOfferingsMax: 100_000 }

/**
 * Builds the states of an index from changes.
 *
 *     begin ─▶ remove*, putOfferings*, put* ─▶ commit
 *
 * Between two commits, `compact()` merges runs, a step at a time. An abandoned change leaves the committed state as it was, but its
 * offerings may be known already: begin again.
 */
export class IndexBuilder {
  readonly #limits: BuilderLimits
  #texts = new SlotTexts()
  #content = emptyContent(this.#texts)
  #numbers = new OfferingNumbers()
  #change: PendingChange | undefined
  readonly #merges: (LevelMerge | undefined)[] = SLOT_STATUSES.map(() => undefined)
  #isWasteful = false

  constructor(limits: Partial<BuilderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The committed state. */
  get content(): IndexContent {
    return this.#content
  }

  /** The ids of all offerings in the store, by number. */
  get offeringIds(): readonly number[] {
    return this.#numbers.ids
  }

  /** Continues with a state that was saved, instead of an empty one. */
  restore(saved: SentContent, offeringIds: readonly number[]): void {
    const texts = SlotTexts.of(saved.forms, saved.prefixes)
    const content = runAtOnce(new ContentReceiver(() => texts).unpack({ ...saved, forms: [], prefixes: [] }))
    if (content === undefined) throw new Error('Cannot restore the index: the saved state is not whole')
    this.#texts = texts
    this.#content = content
    this.#numbers = OfferingNumbers.of(offeringIds, content.tables.offerings.durations.of.values)
  }

  /**
   * Whether most offerings in memory have no slots any more: they stay there until everything is loaded again. Known when a merge is
   * complete.
   */
  get isWasteful(): boolean {
    return this.#isWasteful
  }

  /** Starts a change, one at a time; with `whole` from an empty index. */
  begin(whole: boolean): void {
    if (whole) {
      this.#texts = new SlotTexts()
      this.#numbers = new OfferingNumbers()
      this.#merges.fill(undefined)
      this.#isWasteful = false
      this.#change = new PendingChange(emptyContent(this.#texts), this.#texts, true)
    } else this.#change = new PendingChange(this.#content, this.#texts, false)
  }

  /** Whether slots can refer to an offering of the store. */
  hasOffering(id: number): boolean {
    return this.#numbers.has(id)
  }

  /** Adds offerings by their ids in the store; known ones are skipped. */
  putOfferings(offerings: readonly { readonly id: number; readonly offering: Offering }[]): void {
    for (const { id, offering } of offerings) this.#numbers.put(id, offering)
  }

  /** Removes slots. One that is not in the index was left out; throws if none was. */
  remove(keys: readonly SlotKey[]): void {
    for (const key of keys) this.#pending().remove(key)
  }

  /** Adds slots. Throws if one refers to an unknown offering. */
  put(slots: readonly SlotEntry[]): void {
    const change = this.#pending()
    const { tables } = change.before
    const { numbers, added } = this.#numbers.of(slots, tables.offerings)
    if (added.length > 0) runAtOnce(tables.put(tables.offerings.pack(added)))
    for (const [n, slot] of slots.entries()) {
      const offering = numbers[n]
      if (offering === undefined)
        throw new Error(`Cannot add slot: its offering ${slot.offeringId} is not in the index`)
      change.put(slot, offering)
    }
  }

  /** Replaces the planning horizons of publishers, and when offerings without slots were last deleted in the store. */
  putDirectory(published: readonly PublishedHorizons[], lastDrop: number): void {
    this.#pending().putDirectory(published, lastDrop)
  }

  /** Completes the change. `leftOut`: slots of it that were not put because memory is full. Yields between runs. */
  *commit(committed: CommittedRevision, leftOut = 0): Steps<IndexContent> {
    const change = this.#pending()
    this.#content = yield* change.finish(this.#contextOf(change.before), committed, leftOut)
    this.#change = undefined
    return this.#content
  }

  /** Merges the runs of one step, some 60 milliseconds; false if nothing is to be merged. Not during a change. */
  compact(): boolean {
    const { levels } = this.#content
    const status = levels.findIndex((each, n) => this.#merges[n] !== undefined || isMergeDue(each, this.#limits))
    if (status === -1) return false
    const merge = this.#merges[status] ?? beginMerge(levels[status])
    const next = mergeNext(levels[status], merge, this.#contextOf(this.#content))
    this.#merges[status] = next.merge
    this.#content = { ...this.#content, levels: levels.with(status, next.levels) }
    if (next.merge === undefined) this.#isWasteful = isWasteful(this.#content, this.#limits)
    return true
  }

  #contextOf({ tables }: IndexContent): RunContext {
    return { groups: tables.offerings.groups, forms: tables.forms, limits: this.#limits }
  }

  #pending(): PendingChange {
    if (this.#change === undefined) throw new Error('Cannot change the index: no change has begun')
    return this.#change
  }
}

/** A change that is not committed. */
class PendingChange {
  readonly before: IndexContent
  readonly #isWhole: boolean
  /** By status. */
  readonly #packers: readonly RowPacker[]
  /** Full blocks of sorted rows, by status. */
  readonly #blocks: readonly SortedRows[][]
  readonly #removed: readonly Map<RunState, number[]>[]
  /** Terms of the states in which slots change. */
  readonly #homes = new Set<number>()
  readonly #horizons: Map<string, SharedHorizons>
  #lastDrop: number
  #missing: number

  constructor(before: IndexContent, texts: SlotTexts, isWhole: boolean) {
    this.before = before
    this.#isWhole = isWhole
    this.#packers = SLOT_STATUSES.map(() => new RowPacker(texts))
    this.#blocks = SLOT_STATUSES.map(() => [])
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
    const status = STATUS_NUMBER[slot.status]
    const packer = this.#packers[status]
    packer.add(slot, offering)
    this.#homes.add(this.#homeOf(offering))
    if (packer.count === RUN_ROWS_MAX) this.#blocks[status].push(packer.take())
  }

  putDirectory(published: readonly PublishedHorizons[], lastDrop: number): void {
    this.#lastDrop = Math.max(this.#lastDrop, lastDrop)
    for (const each of published) this.#horizons.set(each.publisher, shareHorizons(each))
  }

  *finish(context: RunContext, committed: CommittedRevision, leftOut: number): Steps<IndexContent> {
    const levels: Levels[] = []
    for (const [status, before] of this.before.levels.entries()) {
      const blocks = this.#blocks[status]
      if (this.#packers[status].count > 0) blocks.push(this.#packers[status].take())
      if (this.#isWhole) levels.push(yield* levelsOf(blocks, context))
      else levels.push(yield* changed(before, { removed: this.#removed[status], blocks }, context))
    }
    const homeRevisions = new Map(this.before.homeRevisions)
    for (const home of this.#homes) homeRevisions.set(home, committed.revision)
    const directory = { lastDrop: this.#lastDrop, horizons: this.#horizons }
    return { ...this.before, levels, homeRevisions, ...directory, committed, missing: this.#missing + leftOut }
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

function isWasteful({ levels, tables }: IndexContent, { unusedOfferingsMax }: BuilderLimits): boolean {
  const { end } = tables.offerings
  if (end <= unusedOfferingsMax) return false
  const isUsed = new Uint8Array(end)
  for (const { run } of runsIn(levels)) for (const offering of run.parts.offeringNumbers) isUsed[offering] = 1
  const used = isUsed.reduce((sum, bit) => sum + bit, 0)
  return end - used > Math.max(unusedOfferingsMax, used)
}

/** Builds a whole index at once. */
export function buildIndex(
  { offerings, slots }: { offerings: ReadonlyMap<number, Offering>; slots: readonly SlotEntry[] },
  committed: CommittedRevision,
): IndexContent {
  const builder = new IndexBuilder()
  builder.begin(true)
  builder.putOfferings([...offerings].map(([id, offering]) => ({ id, offering })))
  builder.put(slots)
  return runAtOnce(builder.commit(committed))
}
