import type { Origin, Rejected, SnapshotDraft } from '../feeds/connector.ts'
import { duplicateRejection, RejectionSample } from '../feeds/rejections.ts'
import { statesOf } from '../slot/filter-values.ts'
import { type EncodedSlot, encoded, type Slot } from '../slot/slot.ts'
import { isTestData } from '../slot/test-data.ts'
import type { SlotDraft, SnapshotWriter, StoredSlot } from '../store/contracts/snapshots.ts'
import type { LineCounts } from '../store/contracts/source-watch.ts'
import type { StoredRejection, SyncOutcome } from '../store/contracts/sources.ts'
import { addDifference, CHUNK_MAX, DraftRows, type PutSlot, type RowBatch } from './draft-rows.ts'
import type { SlotLimit } from './slot-limit.ts'
import { StoredLines } from './stored-lines.ts'
import { StoredResources } from './stored-resources.ts'
import { StoredUpdate } from './stored-update.ts'

/** The counts of a `SyncOutcome`. */
export type DraftCounts = Pick<
  SyncOutcome,
  'read' | 'added' | 'changed' | 'removed' | 'rejected' | 'withheld' | 'testSlots'
>

interface DraftOptions {
  readonly limit?: SlotLimit
  /** Without the connector's state. */
  readonly fromScratch?: boolean
}

/**
 * A `SnapshotDraft` over the store: compares the published slots with the stored ones and writes the differences.
 *
 *     open ──recall()──> comparing ──finish()──> finished, ready to commit
 *
 *     slot                            row versions           count
 *     put, not stored                 inserted               added
 *     put, stored and equal           (line updated)         none; written only if it was read from another line
 *     put, stored and different       deleted and inserted   changed
 *     put, stored and already taken   none                   rejected: a second slot with the same id
 *     put, not free, taken as free    deleted and inserted   rejected: who books the free one fails
 *     stored, not taken at finish()   deleted                removed
 */
export class StoredDraft implements SnapshotDraft {
  readonly state: unknown
  readonly resources: StoredResources
  readonly #writer: SnapshotWriter
  readonly #signal: AbortSignal
  readonly #limit: SlotLimit | undefined
  readonly #rows: DraftRows
  readonly #withholdsTestData: boolean
  #update: StoredUpdate | undefined
  #recalling: Promise<void> | undefined
  #storedLines: StoredLines | undefined
  readonly #rejections = new RejectionSample()
  #pending: PutSlot[] = []
  /** Written while the next lines are read; one batch at a time. */
  #writing: Promise<void> = Promise.resolve()
  /** Free slots that the last snapshot had as not free: a line that still says so may follow. */
  readonly #doubtful: PutSlot[] = []
  #isFinishing = false
  #read = 0
  #added = 0
  #changed = 0
  #removed = 0
  #withheld = 0
  #testSlots = 0
  #hasKept = false
  #hasStates = false
  #lastInsertedEndMs = 0

  /** Once the signal is aborted, `recall`, `flush` and `finish` throw its reason. `flush` and `finish` check the limit. */
  constructor(writer: SnapshotWriter, signal: AbortSignal, options: DraftOptions = {}) {
    this.state = options.fromScratch ? undefined : writer.source.connectorState
    this.resources = new StoredResources(writer.resources)
    this.#writer = writer
    this.#signal = signal
    this.#limit = options.limit
    this.#withholdsTestData = writer.source.options.serveTestData !== true
    this.#rows = new DraftRows(writer, signal)
  }

  get counts(): DraftCounts {
    return (
      this.#update?.counts ?? {
        read: this.#read,
        added: this.#added,
        changed: this.#changed,
        removed: this.#removed,
        rejected: this.#rejections.count,
        withheld: this.#withheld,
        ...(this.#testSlots > 0 && { testSlots: this.#testSlots }),
      }
    )
  }

  /** When the last slot of the snapshot ends; undefined if it has no slots. Valid after `finish()`. */
  get lastEndMs(): number | undefined {
    if (this.#update !== undefined) return this.#update.lastEndMs
    return Math.max(this.#lastInsertedEndMs, this.#stored.lastEnd() * 1000) || undefined
  }

  /** How many of the removed slots had ended by a time. Valid after `finish()`. */
  endedCount(nowMs: number): number {
    return this.#update?.endedCount(nowMs) ?? this.#stored.endedLeft(nowMs / 1000)
  }

  /** Whether a slot that was read has a state; undefined if only kept ones may have. */
  get hasStates(): boolean | undefined {
    if (this.#update !== undefined) return this.#update.hasStates
    return this.#hasStates || (this.#hasKept ? undefined : false)
  }

  /** The rejected share of the lines, with the reason of the first. */
  get lines(): LineCounts {
    if (this.#update !== undefined) return this.#update.lines
    const [first] = this.rejections
    const { count } = this.#rejections
    return { read: this.#read, rejected: count, ...(first !== undefined && { example: first.reason }) }
  }

  get rejections(): readonly StoredRejection[] {
    return this.#update?.rejections ?? this.#rejections.kept
  }

  /** Loads the stored lines: 25 to 30 bytes per slot. A draft of an unchanged publication never needs them. */
  recall(): Promise<void> {
    this.#recalling ??= this.#recall()
    return this.#recalling
  }

  keep(fingerprint: number): boolean {
    if (!this.#stored.keep(fingerprint)) return false
    this.#hasKept = true
    this.#read++
    return true
  }

  keepPart(part: number, count: number): boolean {
    if (!this.#stored.keepPart(part, count)) return false
    this.#hasKept = true
    this.#read += count
    return true
  }

  put(slot: Slot, origin: Origin): void {
    this.putEncoded(encoded(slot), origin)
  }

  putEncoded(slot: EncodedSlot, origin: Origin): void {
    if (this.#withholdsTestData && isTestData(slot.offering)) {
      this.#testSlots++
      this.withhold()
      return
    }
    this.#read++
    this.#hasStates ||= statesOf(slot.offering).size > 0
    this.#pending.push({ slot, origin })
  }

  reject(rejected: Rejected): void {
    this.#read++
    this.#rejections.add(rejected)
  }

  withhold(): void {
    this.#read++
    this.#withheld++
  }

  startUpdate(): StoredUpdate {
    this.#update ??= new StoredUpdate(this.#writer, this.#rows, this.#limit)
    return this.#update
  }

  async flush(): Promise<void> {
    this.#signal.throwIfAborted()
    this.#checkLimit()
    // Only full batches: a transaction writes some pages whatever its size.
    await this.#flush(CHUNK_MAX)
  }

  /** Writes the remaining slots and deletes the stored slots that are no longer published. */
  async finish(): Promise<void> {
    if (this.#update !== undefined) return this.#update.finish()
    this.#checkLimit()
    await this.#flush(1)
    this.#pending = this.#doubtful
    this.#isFinishing = true
    await this.#flush(1)
    await this.#writing
    await this.recall()
    for (const deletes of this.#stored.left(CHUNK_MAX)) {
      this.#removed += deletes.length
      await this.#rows.write({ inserts: [], deletes, moves: [] })
    }
  }

  async #recall(): Promise<void> {
    this.#signal.throwIfAborted()
    this.#storedLines = new StoredLines(await this.#writer.readStored())
  }

  get #stored(): StoredLines {
    if (this.#storedLines === undefined) throw new Error('Cannot keep slots: recall() was not awaited first')
    return this.#storedLines
  }

  async #flush(chunkMin: number): Promise<void> {
    while (this.#pending.length >= chunkMin) await this.#writeSlots(this.#pending.splice(0, CHUNK_MAX))
  }

  async #writeSlots(puts: readonly PutSlot[]): Promise<void> {
    await this.#writing
    await this.recall()
    await this.#rows.intern(puts)
    const stored = await this.#writer.findStored(puts.map((put) => put.slot.id))
    const batch = this.#sort(puts, new Map(stored.map((slot) => [slot.id, slot])))
    this.#checkLimit()
    this.#writing = this.#rows.write(batch)
    // The next batch, or `finish()`, throws the error.
    this.#writing.catch(() => undefined)
  }

  /** Counts the slots that were kept or compared; those that wait may turn out to be duplicates. */
  #checkLimit(): void {
    this.#limit?.check(this.#read - this.#rejections.count - this.#withheld - this.#pending.length)
  }

  #sort(puts: readonly PutSlot[], storedById: ReadonlyMap<string, StoredSlot>): RowBatch {
    const batch: RowBatch = { inserts: [], deletes: [], moves: [] }
    for (const put of this.#distinct(puts)) {
      const stored = storedById.get(put.slot.id)
      if (stored !== undefined && this.#isDoubtful(put, stored)) this.#doubtful.push(put)
      else if (stored === undefined || (!stored.drafted && this.#stored.take(stored.key)))
        this.#place(this.#rows.draftOf(put), stored, batch)
      else this.#settle(put, stored, batch)
    }
    return batch
  }

  /** One slot of each id: the first that is not free, else the first. Rejects the others. */
  #distinct(puts: readonly PutSlot[]): Iterable<PutSlot> {
    const byId = new Map<string, PutSlot>()
    for (const put of puts) {
      const { id } = put.slot
      const earlier = byId.get(id)
      if (earlier === undefined) byId.set(id, put)
      else if (overrules(put.slot, earlier.slot)) {
        byId.set(id, put)
        this.#reject(earlier, put.slot)
      } else this.#reject(put, earlier.slot)
    }
    return byId.values()
  }

  #isDoubtful({ slot }: PutSlot, stored: StoredSlot): boolean {
    const isPossible = !this.#isFinishing && this.#doubtful.length < CHUNK_MAX
    return isPossible && !stored.drafted && overrules(stored, slot)
  }

  /** A slot that was already taken from another line of this snapshot. */
  #settle(put: PutSlot, stored: StoredSlot, batch: RowBatch): void {
    this.#reject(put, stored)
    if (!overrules(put.slot, stored)) return
    const draft = this.#rows.draftOf(put)
    const replaces = stored.drafted ? stored.replaces : stored.key
    batch.deletes.push(stored.key)
    batch.inserts.push(replaces === undefined ? draft : { ...draft, replaces })
    this.#lastInsertedEndMs = Math.max(this.#lastInsertedEndMs, draft.endMs)
    if (!stored.drafted) this.#changed++
  }

  #reject({ slot, origin }: PutSlot, other: Pick<Slot, 'status'>): void {
    const isContradiction = overrules(slot, other) || overrules(other, slot)
    this.#rejections.add(duplicateRejection(slot, origin, isContradiction))
  }

  #place(draft: SlotDraft, stored: StoredSlot | undefined, batch: RowBatch): void {
    const what = addDifference(batch, draft, stored)
    if (what === 'same') return
    this.#lastInsertedEndMs = Math.max(this.#lastInsertedEndMs, draft.endMs)
    if (what === 'added') this.#added++
    else this.#changed++
  }
}

/** Whether the first of two slots with the same id wins because the other one is free. */
function overrules(one: Pick<Slot, 'status'>, other: Pick<Slot, 'status'>): boolean {
  return one.status !== 'free' && other.status === 'free'
}
