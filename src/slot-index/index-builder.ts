import { runAtOnce, type Steps } from '../lib/steps.ts'
import type { PublishedHorizons } from '../slot/planning-horizon.ts'
import { type Offering, SLOT_STATUSES, type SlotStatus } from '../slot/slot.ts'
import { ContentReceiver, type SentContent } from './content-transfer.ts'
import { type CommittedRevision, emptyContent, type IndexContent } from './index-content.ts'
import { type OfferedSlot, OfferingNumbers } from './offerings/offering-numbers.ts'
import { type OtherNumbers, type PackedSlots, renumber } from './packed-slots.ts'
import { PendingChange } from './pending-change.ts'
import type { SortedRows } from './runs/build-run.ts'
import {
  beginMerge,
  isMergeDue,
  LEVEL_LIMITS,
  type LevelLimits,
  type LevelMerge,
  type Levels,
  mergeNext,
  type RunContext,
  runsIn,
} from './runs/levels.ts'
import { SlotTexts } from './runs/slot-texts.ts'

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

/** The sorted rows of a whole index, by status, and what their runs are built with. */
export interface RowsToBuild {
  readonly blocks: readonly SortedRows[][]
  readonly context: RunContext
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
    if (content === undefined) throw new Error('Cannot restore the index: the saved state is incomplete')
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

  /** Adds slots that another thread has packed; extends its numbers. Throws if one refers to an unknown offering. */
  putPacked({ blocks, offered, forms, prefixes }: PackedSlots, numbers: OtherNumbers): void {
    const offerings = this.#offeringsOf(offered)
    numbers.offerings.push(...offerings)
    numbers.forms.push(...forms.map((form) => this.#texts.formNumber(form)))
    numbers.prefixes.push(...prefixes.map((prefix) => this.#texts.prefixNumber(prefix)))
    for (const rows of blocks.flat()) renumber(rows, numbers)
    this.#pending().putBlocks(blocks, offerings)
  }

  /** The rows of a whole change in blocks, and what runs of them are built with; `putBuilt()` takes the runs. */
  takeBlocks(): RowsToBuild {
    const change = this.#pending()
    return { blocks: change.takeBlocks(), context: this.#contextOf(change.before) }
  }

  putBuilt(levels: readonly Levels[]): void {
    this.#pending().putBuilt(levels)
  }

  /** Removes slots. One that is not in the index was left out; throws if none was. */
  remove(keys: readonly SlotKey[]): void {
    for (const key of keys) this.#pending().remove(key)
  }

  /** Adds slots. Throws if one refers to an unknown offering. */
  put(slots: readonly SlotEntry[]): void {
    const change = this.#pending()
    for (const [n, offering] of this.#offeringsOf(slots).entries()) change.put(slots[n], offering)
  }

  /** Replaces the planning horizons of publishers, and when offerings without slots were last deleted in the store. */
  putDirectory(published: readonly PublishedHorizons[], lastDrop: number): void {
    this.#pending().putDirectory(published, lastDrop)
  }

  /** Completes the change. `leftOut`: slots of it that were not put because memory is full. Yields between runs and parts of the tables. */
  *commit(committed: CommittedRevision, leftOut = 0): Steps<IndexContent> {
    const change = this.#pending()
    const content = yield* change.finish(this.#contextOf(change.before), committed, leftOut)
    yield* content.tables.offerings.index()
    this.#content = content
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

  /** The numbers of the offerings of slots; those that are new are put into the table. */
  #offeringsOf(slots: readonly OfferedSlot[]): number[] {
    const { tables } = this.#pending().before
    const { numbers, added } = this.#numbers.of(slots, tables.offerings)
    if (added.length > 0) runAtOnce(tables.put(tables.offerings.pack(added)))
    return numbers.map((number, n) => {
      if (number !== undefined) return number
      throw new Error(`Cannot add slot: its offering ${slots[n].offeringId} is not in the index`)
    })
  }

  #pending(): PendingChange {
    if (this.#change === undefined) throw new Error('Cannot change the index: no change has begun')
    return this.#change
  }
}

function isWasteful({ levels, tables }: IndexContent, { unusedOfferingsMax }: BuilderLimits): boolean {
  const { end } = tables.offerings
  if (end <= unusedOfferingsMax) return false
  const isUsed = new Uint8Array(end)
  for (const { run } of runsIn(levels)) for (const offering of run.parts.offeringNumbers) isUsed[offering] = 1
  const used = isUsed.reduce((sum, bit) => sum + bit, 0)
  return end - used > Math.max(unusedOfferingsMax, used)
}
