import { ReadAgain, type Rejected } from '../feeds/connector.ts'
import type { LineOutcome, SnapshotUpdate } from '../feeds/feed-resources.ts'
import { RejectionSample } from '../feeds/rejections.ts'
import { statesOf } from '../slot/filter-values.ts'
import { encoded, type Slot } from '../slot/slot.ts'
import { isTestData } from '../slot/test-data.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import type { LineCounts } from '../store/contracts/source-watch.ts'
import type { StoredRejection } from '../store/contracts/sources.ts'
import { addDifference, CHUNK_MAX, type DraftRows, type PutSlot, type RowBatch } from './draft-rows.ts'
import type { SlotLimit } from './slot-limit.ts'
import type { DraftCounts } from './snapshot-draft.ts'

/**
 * A `SnapshotUpdate` over the store: writes the differences to the last snapshot without reading it. `read`, `rejected` and `withheld`
 * are those of the last snapshot with the changes.
 */
export class StoredUpdate implements SnapshotUpdate {
  readonly #writer: SnapshotWriter
  readonly #rows: DraftRows
  readonly #limit: SlotLimit | undefined
  /** The new ones, then those of the last snapshot that still stand. */
  readonly #rejected = new RejectionSample()
  /** Rejections of the last snapshot that no longer stand, by position. */
  readonly #settled = new Set<string>()
  #puts = new Map<string, PutSlot>()
  #removed = new Map<string, Slot>()
  readonly #withholdsTestData: boolean
  #counts: Required<DraftCounts>
  #hasStates = false
  #losesStates = false
  #lastEndMs: number
  #ends: number[] = []

  constructor(writer: SnapshotWriter, rows: DraftRows, limit: SlotLimit | undefined) {
    this.#writer = writer
    this.#rows = rows
    this.#limit = limit
    const { lastRead, lastEndMs } = writer.source.watch
    const { read = 0, rejected = 0, withheld = 0, testSlots = 0 } = lastRead ?? {}
    this.#counts = { read, added: 0, changed: 0, removed: 0, rejected, withheld, testSlots }
    this.#withholdsTestData = writer.source.options.serveTestData !== true
    this.#lastEndMs = lastEndMs ?? 0
  }

  get counts(): DraftCounts {
    const { testSlots, ...counts } = this.#counts
    return testSlots === 0 ? counts : { ...counts, testSlots }
  }

  /** Whether a slot that changed has a state; undefined if only others may have. False if one lost its state. */
  get hasStates(): boolean | undefined {
    if (this.#hasStates) return true
    return this.#losesStates ? false : undefined
  }

  /** Not before the last slot of the snapshot ends, which may be one that was removed; undefined if it has no slots. */
  get lastEndMs(): number | undefined {
    return this.#lastEndMs || undefined
  }

  get lines(): LineCounts {
    const { read, rejected } = this.#counts
    const [first] = this.rejections
    return { read, rejected, ...(first !== undefined && { example: first.reason }) }
  }

  /** Valid after `finish()`. */
  get rejections(): readonly StoredRejection[] {
    return this.#rejected.kept
  }

  endedCount(nowMs: number): number {
    return this.#ends.filter((endMs) => endMs <= nowMs).length
  }

  change(outcomeBefore: LineOutcome | undefined, outcomeAfter: LineOutcome | undefined): void {
    const [before, after] = [this.#withoutTestData(outcomeBefore), this.#withoutTestData(outcomeAfter)]
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
    const isSame = before !== undefined && after !== undefined && 'slot' in before && 'slot' in after
    if (before !== undefined && 'slot' in before && !(isSame && before.slot.id === after.slot.id))
      this.#removed.set(before.slot.id, before.slot)
    if (after !== undefined && 'slot' in after) {
      this.#puts.set(after.slot.id, { ...after, slot: encoded(after.slot) })
      if (hasState(after)) this.#hasStates = true
      else if (hasState(before)) this.#losesStates = true
    }
    if (before !== undefined && 'rejected' in before) this.#settled.add(positionOf(before.rejected))
    if (after !== undefined && 'rejected' in after) this.#rejected.add(after.rejected)
  }

  async flush(): Promise<void> {
    if (this.#puts.size + this.#removed.size >= CHUNK_MAX) await this.#write()
  }

  async finish(): Promise<void> {
    await this.#write()
    const { counts } = this
    this.#limit?.check(this.#writer.source.slotCount + counts.added - counts.removed)
    for (const before of await this.#writer.readRejections())
      if (!this.#settled.has(positionOf(before))) this.#rejected.add(before)
  }

  #withoutTestData(outcome: LineOutcome | undefined): StoredOutcome | undefined {
    const isTest = outcome !== undefined && 'slot' in outcome && isTestData(outcome.slot.offering)
    return isTest && this.#withholdsTestData ? { withheld: true, isTest } : outcome
  }

  #count(outcome: StoredOutcome, by: 1 | -1): void {
    const { read, rejected, withheld, testSlots, ...others } = this.#counts
    this.#counts = {
      ...others,
      read: read + by,
      rejected: rejected + ('rejected' in outcome ? by : 0),
      withheld: withheld + ('withheld' in outcome ? by : 0),
      testSlots: testSlots + ('isTest' in outcome ? by : 0),
    }
  }

  async #write(): Promise<void> {
    const puts = [...this.#puts.values()]
    const removed = [...this.#removed.values()].filter(({ id }) => !this.#puts.has(id))
    this.#puts = new Map()
    this.#removed = new Map()
    await this.#rows.intern(puts)
    for (let at = 0; at < puts.length; at += CHUNK_MAX) await this.#writePuts(puts.slice(at, at + CHUNK_MAX))
    for (let at = 0; at < removed.length; at += CHUNK_MAX) await this.#writeRemoved(removed.slice(at, at + CHUNK_MAX))
  }

  async #writePuts(puts: readonly PutSlot[]): Promise<void> {
    const stored = await this.#writer.findIndexed(puts.map(({ slot }) => slot.id))
    const storedById = new Map(stored.map((slot) => [slot.id, slot]))
    const batch: RowBatch = { inserts: [], deletes: [], moves: [] }
    for (const put of puts) {
      const what = addDifference(batch, this.#rows.draftOf(put), storedById.get(put.slot.id))
      if (what !== 'same') this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 }
      this.#lastEndMs = Math.max(this.#lastEndMs, put.slot.endMs)
    }
    await this.#rows.write(batch)
  }

  async #writeRemoved(slots: readonly Slot[]): Promise<void> {
    const stored = await this.#writer.findIndexed(slots.map(({ id }) => id))
    if (stored.length !== slots.length)
      throw new ReadAgain('Cannot update feed: the last snapshot lacks a slot that it should have', {
        fromScratch: true,
      })
    await this.#rows.write({ inserts: [], deletes: stored.map(({ key }) => key), moves: [] })
    this.#counts = { ...this.#counts, removed: this.#counts.removed + slots.length }
    this.#ends.push(...slots.map(({ endMs }) => endMs))
  }
}

type StoredOutcome = LineOutcome | { readonly withheld: true; readonly isTest: true }

function hasState(outcome: StoredOutcome | undefined): boolean {
  return outcome !== undefined && 'slot' in outcome && statesOf(outcome.slot.offering).size > 0
}

function positionOf({ file, line }: Pick<Rejected, 'file' | 'line'>): string {
  return `${line} ${file}`
}
