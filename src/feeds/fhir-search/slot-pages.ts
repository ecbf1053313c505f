import type { Hash } from 'node:crypto'
import { asObject } from '../../lib/json.ts'
import { parseInstant } from '../../slot/instant.ts'
import type { SnapshotDraft } from '../connector.ts'
import type { Directory } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { parseReference } from '../fhir/reference.ts'
import { fingerprint } from '../fingerprint.ts'
import type { LineBatch } from '../http/lines.ts'
import { InvalidData } from '../invalid-data.ts'
import type { ActorSearch } from './actor-search.ts'
import { EntryReader, entryRejection, type PendingEntry, type RejectionSink } from './entry-reader.ts'
import type { EntryHandler } from './search.ts'
import type { SearchWindow } from './slot-query.ts'

const SLOTS_PER_FLUSH = 2000

/** The connector numbers no files: a page is none that comes again. */
const PART = 0

/** What the pages of slots are read with. */
export interface SlotPagesOptions {
  readonly directory: Directory
  readonly draft: SnapshotDraft
  /** Where entries go that are no slots and wrong. */
  readonly entries: RejectionSink
  readonly actors: ActorSearch
  /** Without one every slot is taken. */
  readonly window: SearchWindow | undefined
  /** Gets to see every slot in its order, with what it leads to. */
  readonly digest: Hash
}

/** A Slot that waits for its page to end, as bytes: they are small, and outside of the heap. */
interface PendingSlot extends Pick<PendingEntry, 'bytes' | 'line'> {
  /** Undefined if it leads to none. */
  readonly scheduleId: string | undefined
}

/**
 * Takes the pages of a search of Slots into the draft. The Slots of a page are held back until it is over and all that they
 * lead to is known; a known Slot that leads to the same as before is kept without being read.
 */
export class SlotPages implements EntryHandler {
  readonly #directory: Directory
  readonly #draft: SnapshotDraft
  readonly #actors: ActorSearch
  readonly #window: SearchWindow | undefined
  readonly #entries: EntryReader
  readonly #digest: Hash
  #held: PendingSlot[] = []

  constructor(parts: SlotPagesOptions) {
    this.#directory = parts.directory
    this.#draft = parts.draft
    this.#actors = parts.actors
    this.#window = parts.window
    this.#digest = parts.digest
    this.#entries = new EntryReader(parts.directory, parts.entries, (entry) => this.#hold(entry))
  }

  take(entries: LineBatch, file: string): void {
    this.#entries.take(entries, file)
  }

  async finishPage(file: string): Promise<void> {
    const held = this.#held
    this.#held = []
    await this.#actors.complete(held.flatMap(({ scheduleId }) => scheduleId ?? []))
    await this.#draft.recall()
    for (let at = 0; at < held.length; at++) {
      this.#settle(held[at], file)
      if (at % SLOTS_PER_FLUSH === SLOTS_PER_FLUSH - 1) await this.#draft.flush()
    }
    await this.#draft.flush()
  }

  #hold({ bytes, line, resource }: PendingEntry): void {
    if (this.#isOutside(resource.start)) {
      this.#draft.withhold()
      return
    }
    const target = parseReference(asObject(resource.schedule) ?? {})
    const isSchedule = target !== undefined && (target.type ?? 'Schedule') === 'Schedule'
    this.#held.push({ bytes, line, scheduleId: isSchedule ? target.id : undefined })
  }

  /** A server may not know how to search by time, and then sends all there ever were. */
  #isOutside(start: unknown): boolean {
    if (this.#window === undefined || typeof start !== 'string') return false
    const ms = parseInstant(start)?.ms
    return ms !== undefined && (ms < this.#window.fromMs || ms > this.#window.untilMs)
  }

  #settle(held: PendingSlot, file: string): void {
    const mark = this.#markOf(held)
    this.#digest.update(`${mark} `)
    if (this.#draft.keep(mark)) return
    try {
      this.#read(held, file, mark)
    } catch (error) {
      const rejected = entryRejection(error, file, held)
      this.#digest.update(rejected.reason)
      this.#draft.reject(rejected)
    }
  }

  #markOf({ bytes, scheduleId }: PendingSlot): number {
    if (scheduleId === undefined) return fingerprint(bytes, PART)
    return fingerprint(Buffer.concat([bytes, this.#actors.digest(scheduleId)]), PART)
  }

  #read({ bytes, line }: PendingSlot, file: string, mark: number): void {
    const resource = asObject(parseResource(bytes.toString(), this.#directory.strict).resource)
    if (resource === undefined) throw new InvalidData('resource must be an object')
    const slot = readSlot(resource, this.#directory)
    if (slot === undefined) this.#draft.withhold()
    else this.#draft.put(slot, { file, line, part: PART, fingerprint: mark })
  }
}
