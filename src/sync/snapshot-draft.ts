import { setImmediate } from 'node:timers/promises'
import type { Origin, Rejected, SnapshotDraft } from '../feeds/connector.ts'
import { encodeSlot } from '../slot/encode-slot.ts'
import type { Offering, Slot } from '../slot/slot.ts'
import type { SlotDraft, SnapshotWriter, StoredSlot } from '../store/contracts/snapshots.ts'
import type { StoredRejection } from '../store/contracts/sources.ts'
import { HeldLines } from './known-lines.ts'
import { RejectionSample } from './rejection-sample.ts'

/** Rows in one transaction: about ten milliseconds of the store's write lock. The store finds at most 5,000 ids at once. */
const CHUNK_MAX = 4000

/** Fewer than this are left to gather: where few lines changed, one look-up and one transaction serve many pieces. */
const CHUNK_MIN = 2000

/** What a snapshot came to: the numbers of a `SyncOutcome`. */
export interface Tally {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly rejected: number
  readonly withheld: number
}

/**
 * A `SnapshotDraft` over the store: compares what is put with what is held, and writes the difference.
 *
 *     put, not held           born               added
 *     put, held and equal     (moved)            unchanged: written only if it was read from another line
 *     put, held and unequal   born, and died     changed
 *     put, held and taken     rejected           a second slot of the same id
 *     held, and not taken     died, at the end   removed
 */
export class StoredDraft implements SnapshotDraft {
  readonly memory: unknown
  readonly #writer: SnapshotWriter
  readonly #signal: AbortSignal
  #recalled: Promise<void> | undefined
  #heldLines: HeldLines | undefined
  readonly #offeringIds = new WeakMap<Offering, number>()
  readonly #rejections = new RejectionSample()
  #gathered: Put[] = []
  #read = 0
  #added = 0
  #changed = 0
  #removed = 0
  #withheld = 0
  #lastBornEndMs = 0

  /** Once the signal is aborted, `recall`, `flush` and `finish` throw its reason. */
  constructor(writer: SnapshotWriter, signal: AbortSignal) {
    this.memory = writer.source.connectorState
    this.#writer = writer
    this.#signal = signal
  }

  get tally(): Tally {
    return {
      read: this.#read,
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      rejected: this.#rejections.count,
      withheld: this.#withheld,
    }
  }

  /** When the last slot of the snapshot ends; undefined if there is none. To be asked when it is finished. */
  get lastEndMs(): number | undefined {
    return Math.max(this.#lastBornEndMs, this.#held.lastEnd() * 1000) || undefined
  }

  get rejections(): readonly StoredRejection[] {
    return this.#rejections.kept
  }

  /** Loads what the source holds: about 37 bytes a slot. A draft that is dropped as unchanged never needs it. */
  recall(): Promise<void> {
    this.#recalled ??= this.#recall()
    return this.#recalled
  }

  keep(fingerprint: number): boolean {
    if (!this.#held.keep(fingerprint)) return false
    this.#read++
    return true
  }

  keepPart(part: number): number {
    const kept = this.#held.keepPart(part)
    this.#read += kept
    return kept
  }

  put(slot: Slot, origin: Origin): void {
    this.#read++
    this.#gathered.push({ slot, origin })
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
    await this.#flush(CHUNK_MIN)
  }

  /** Writes out the rest, and lets die what was held and is published no more. The draft is then ready to be committed. */
  async finish(): Promise<void> {
    await this.#flush(1)
    await this.recall()
    for (const died of this.#held.left(CHUNK_MAX)) {
      this.#removed += died.length
      await this.#write({ inserts: [], deletes: died, moves: [] })
    }
  }

  async #recall(): Promise<void> {
    this.#signal.throwIfAborted()
    this.#heldLines = new HeldLines(await this.#writer.readStored())
  }

  get #held(): HeldLines {
    if (this.#heldLines === undefined)
      throw new Error('Cannot keep slots: recall() must be awaited before: got "no recall"')
    return this.#heldLines
  }

  async #flush(chunkMin: number): Promise<void> {
    while (this.#gathered.length >= chunkMin) await this.#settle(this.#gathered.splice(0, CHUNK_MAX))
  }

  async #settle(puts: readonly Put[]): Promise<void> {
    await this.recall()
    await this.#intern(puts)
    const held = await this.#writer.findStored(puts.map((put) => put.slot.id))
    const batch = this.#sort(puts, new Map(held.map((slot) => [slot.id, slot])))
    if (batch.inserts.length + batch.deletes.length + batch.moves.length > 0) await this.#write(batch)
  }

  /** Stores the offerings that this draft has not met before. */
  async #intern(puts: readonly Put[]): Promise<void> {
    const strange = new Set<Offering>()
    for (const { slot } of puts) if (!this.#offeringIds.has(slot.offering)) strange.add(slot.offering)
    if (strange.size === 0) return
    const offerings = [...strange]
    const ids = await this.#writer.putOfferings(offerings)
    for (let at = 0; at < offerings.length; at++) this.#offeringIds.set(offerings[at], ids[at])
  }

  #sort(puts: readonly Put[], heldById: ReadonlyMap<string, StoredSlot>): Batch {
    const batch: Batch = { inserts: [], deletes: [], moves: [] }
    const here = new Set<string>()
    for (const put of puts) {
      const held = heldById.get(put.slot.id)
      if (here.has(put.slot.id) || held?.drafted === true || (held && !this.#held.take(held.key))) {
        this.#rejections.add(publishedTwice(put))
        continue
      }
      here.add(put.slot.id)
      this.#place(this.#drawUp(put), held, batch)
    }
    return batch
  }

  #place(draft: SlotDraft, held: StoredSlot | undefined, batch: Batch): void {
    if (held === undefined || !isEqual(draft, held)) {
      this.#lastBornEndMs = Math.max(this.#lastBornEndMs, draft.endMs)
      if (held === undefined) {
        batch.inserts.push(draft)
        this.#added++
      } else {
        batch.inserts.push({ ...draft, replaces: held.key })
        batch.deletes.push(held.key)
        this.#changed++
      }
    } else if (draft.part !== held.part || draft.fingerprint !== held.fingerprint) {
      batch.moves.push({ key: held.key, part: draft.part, fingerprint: draft.fingerprint })
    }
  }

  #drawUp({ slot, origin }: Put): SlotDraft {
    const offeringId = this.#offeringIds.get(slot.offering)
    if (offeringId === undefined)
      throw new Error(`Cannot draft slot: offering must be stored: got "${slot.id}"`)
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
    // stop get their turn here.
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

function isEqual(draft: SlotDraft, held: StoredSlot): boolean {
  return draft.json === held.json && draft.offeringId === held.offeringId && draft.status === held.status
}

function publishedTwice({ slot, origin }: Put): Rejected {
  const where = `Slot at "${slot.start}" of Schedule "${slot.offering.scheduleId}" is published twice`
  return {
    file: origin.file,
    line: origin.line,
    reason: `${where}: Schedule, Slot.id, start and end must be unique together`.slice(0, 300),
    sample: `${encodeSlot(slot)}}`.slice(0, 500),
  }
}
