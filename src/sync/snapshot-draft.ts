import { setImmediate } from 'node:timers/promises'
import type { Origin, Rejected, SnapshotDraft } from '../feeds/connector.ts'
import { duplicateRejection, RejectionSample } from '../feeds/rejections.ts'
import { encodeSlot, type Offering, type Slot } from '../slot/slot.ts'
import type { SlotDraft, SnapshotWriter, StoredSlot } from '../store/contracts/snapshots.ts'
import type { StoredRejection } from '../store/contracts/sources.ts'
import type { SlotLimit } from './slot-limit.ts'
import { StoredLines } from './stored-lines.ts'

/** Rows per transaction: about ten milliseconds of the store's write lock. The store finds at most 5,000 ids at once. */
const CHUNK_MAX = 4000

/** `flush()` waits for this many slots, so that few changed lines share one query and one transaction. */
const CHUNK_MIN = 2000

/** The counts of a `SyncOutcome`. */
export interface DraftCounts {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly rejected: number
  readonly withheld: number
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
 *     stored, not taken at finish()   deleted                removed
 */
export class StoredDraft implements SnapshotDraft {
  readonly state: unknown
  readonly #writer: SnapshotWriter
  readonly #signal: AbortSignal
  readonly #limit: SlotLimit | undefined
  #recalling: Promise<void> | undefined
  #storedLines: StoredLines | undefined
  readonly #offeringIds = new WeakMap<Offering, number>()
  readonly #rejections = new RejectionSample()
  #pending: Put[] = []
  #read = 0
  #added = 0
  #changed = 0
  #removed = 0
  #withheld = 0
  #lastInsertedEndMs = 0

  /** Once the signal is aborted, `recall`, `flush` and `finish` throw its reason. `flush` and `finish` check the limit. */
  constructor(writer: SnapshotWriter, signal: AbortSignal, limit?: SlotLimit) {
    this.state = writer.source.connectorState
    this.#writer = writer
    this.#signal = signal
    this.#limit = limit
  }

  get counts(): DraftCounts {
    return {
      read: this.#read,
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      rejected: this.#rejections.count,
      withheld: this.#withheld,
    }
  }

  /** When the last slot of the snapshot ends; undefined if it has no slots. Valid after `finish()`. */
  get lastEndMs(): number | undefined {
    return Math.max(this.#lastInsertedEndMs, this.#stored.lastEnd() * 1000) || undefined
  }

  get rejections(): readonly StoredRejection[] {
    return this.#rejections.kept
  }

  /** Loads the stored lines: about 37 bytes per slot. A draft of an unchanged publication never needs them. */
  recall(): Promise<void> {
    this.#recalling ??= this.#recall()
    return this.#recalling
  }

  keep(fingerprint: number): boolean {
    if (!this.#stored.keep(fingerprint)) return false
    this.#read++
    return true
  }

  keepPart(part: number): number {
    const kept = this.#stored.keepPart(part)
    this.#read += kept
    return kept
  }

  put(slot: Slot, origin: Origin): void {
    this.#read++
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

  async flush(): Promise<void> {
    this.#signal.throwIfAborted()
    this.#checkLimit()
    await this.#flush(CHUNK_MIN)
  }

  /** Writes the remaining slots and deletes the stored slots that are no longer published. */
  async finish(): Promise<void> {
    this.#checkLimit()
    await this.#flush(1)
    await this.recall()
    for (const deletes of this.#stored.left(CHUNK_MAX)) {
      this.#removed += deletes.length
      await this.#write({ inserts: [], deletes, moves: [] })
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

  async #writeSlots(puts: readonly Put[]): Promise<void> {
    await this.recall()
    await this.#intern(puts)
    const stored = await this.#writer.findStored(puts.map((put) => put.slot.id))
    const batch = this.#sort(puts, new Map(stored.map((slot) => [slot.id, slot])))
    this.#checkLimit()
    if (batch.inserts.length + batch.deletes.length + batch.moves.length > 0) await this.#write(batch)
  }

  /** Counts the slots that were kept or compared; those that wait may turn out to be duplicates. */
  #checkLimit(): void {
    this.#limit?.check(this.#read - this.#rejections.count - this.#withheld - this.#pending.length)
  }

  /** Stores the offerings that are new to this draft. */
  async #intern(puts: readonly Put[]): Promise<void> {
    const unseen = new Set<Offering>()
    for (const { slot } of puts) if (!this.#offeringIds.has(slot.offering)) unseen.add(slot.offering)
    if (unseen.size === 0) return
    const offerings = [...unseen]
    const ids = await this.#writer.putOfferings(offerings)
    for (let at = 0; at < offerings.length; at++) this.#offeringIds.set(offerings[at], ids[at])
  }

  #sort(puts: readonly Put[], storedById: ReadonlyMap<string, StoredSlot>): Batch {
    const batch: Batch = { inserts: [], deletes: [], moves: [] }
    const seenIds = new Set<string>()
    for (const put of puts) {
      const stored = storedById.get(put.slot.id)
      if (seenIds.has(put.slot.id) || stored?.drafted === true || (stored && !this.#stored.take(stored.key))) {
        this.#rejections.add(duplicateRejection(put.slot, put.origin))
        continue
      }
      seenIds.add(put.slot.id)
      this.#place(this.#toDraft(put), stored, batch)
    }
    return batch
  }

  #place(draft: SlotDraft, stored: StoredSlot | undefined, batch: Batch): void {
    if (stored === undefined || !isEqual(draft, stored)) {
      this.#lastInsertedEndMs = Math.max(this.#lastInsertedEndMs, draft.endMs)
      if (stored === undefined) {
        batch.inserts.push(draft)
        this.#added++
      } else {
        batch.inserts.push({ ...draft, replaces: stored.key })
        batch.deletes.push(stored.key)
        this.#changed++
      }
    } else if (draft.part !== stored.part || draft.fingerprint !== stored.fingerprint) {
      batch.moves.push({ key: stored.key, part: draft.part, fingerprint: draft.fingerprint })
    }
  }

  #toDraft({ slot, origin }: Put): SlotDraft {
    const offeringId = this.#offeringIds.get(slot.offering)
    if (offeringId === undefined) throw new Error(`Cannot draft slot "${slot.id}": its offering is not stored`)
    return {
      id: slot.id,
      offeringId,
      status: slot.status,
      startMs: slot.startMs,
      endMs: slot.endMs,
      json: encodeSlot(slot),
      part: origin.part,
      fingerprint: origin.fingerprint,
    }
  }

  async #write(batch: Batch): Promise<void> {
    this.#signal.throwIfAborted()
    await this.#writer.write(batch)
    // A store in this process answers without ever leaving the microtask queue: timers, the network and a request to
    // stop are processed here.
    await setImmediate()
  }
}

interface Put {
  readonly slot: Slot
  readonly origin: Origin
}

interface Batch {
  readonly inserts: SlotDraft[]
  readonly deletes: number[]
  readonly moves: { key: number; part: number; fingerprint: number }[]
}

function isEqual(draft: SlotDraft, stored: StoredSlot): boolean {
  return draft.json === stored.json && draft.offeringId === stored.offeringId && draft.status === stored.status
}
