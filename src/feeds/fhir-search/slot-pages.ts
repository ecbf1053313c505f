import type { Hash } from 'node:crypto'
import { asObject } from '../../lib/json.ts'
import { parseInstant } from '../../slot/instant.ts'
import type { SnapshotDraft } from '../connector.ts'
import { parseReference } from '../fhir/data-types.ts'
import type { Directory } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { fingerprint, type LineBatch } from '../http/lines.ts'
import { InvalidData } from '../rejections.ts'
import type { ActorSearch } from './actor-search.ts'
import { EntryReader, entryRejection, type PendingEntry, type RejectionSink } from './entry-reader.ts'
import type { EntryHandler } from './search.ts'
import type { SearchWindow } from './slot-query.ts'

const SLOTS_PER_FLUSH = 2000

/** Pages are not files that could be unchanged: all slots belong to one part. */
const PART = 0

export interface SlotPagesOptions {
  readonly directory: Directory
  readonly draft: SnapshotDraft
  /** Receives rejections of entries that are not slots. */
  readonly entries: RejectionSink
  readonly actors: ActorSearch
  /** Slots that start outside are withheld; undefined for no limit. */
  readonly window: SearchWindow | undefined
  /** Updated with every slot in order, including its referenced resources. */
  readonly digest: Hash
}

/** A Slot buffered until the end of its page, as bytes: small, and outside the heap. */
interface PendingSlot extends Pick<PendingEntry, 'bytes' | 'line'> {
  /** Undefined without a valid reference. */
  readonly scheduleId: string | undefined
}

/**
 * Reads the pages of a Slot search into the draft. Buffers the Slots of a page until its end, when their references are
 * resolved. A known Slot with unchanged references is kept without being parsed.
 */
export class SlotPages implements EntryHandler {
  readonly #options: SlotPagesOptions
  readonly #entries: EntryReader
  #pending: PendingSlot[] = []

  constructor(options: SlotPagesOptions) {
    this.#options = options
    this.#entries = new EntryReader(options.directory, options.entries, (entry) => this.#buffer(entry))
  }

  take(entries: LineBatch, file: string): void {
    this.#entries.take(entries, file)
  }

  async finishPage(file: string): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    const { actors, draft } = this.#options
    await actors.complete(pending.flatMap(({ scheduleId }) => scheduleId ?? []))
    await draft.recall()
    for (let at = 0; at < pending.length; at++) {
      this.#settle(pending[at], file)
      if (at % SLOTS_PER_FLUSH === SLOTS_PER_FLUSH - 1) await draft.flush()
    }
    await draft.flush()
  }

  #buffer({ bytes, line, resource }: PendingEntry): void {
    if (this.#isOutside(resource.start)) {
      this.#options.draft.withhold()
      return
    }
    const target = parseReference(asObject(resource.schedule) ?? {})
    const isSchedule = target !== undefined && (target.type ?? 'Schedule') === 'Schedule'
    this.#pending.push({ bytes, line, scheduleId: isSchedule ? target.id : undefined })
  }

  /** Some servers ignore the search by time and send all slots. */
  #isOutside(start: unknown): boolean {
    const { window } = this.#options
    if (window === undefined || typeof start !== 'string') return false
    const ms = parseInstant(start)?.ms
    return ms !== undefined && (ms < window.fromMs || ms > window.untilMs)
  }

  #settle(pending: PendingSlot, file: string): void {
    const lineFingerprint = this.#fingerprintOf(pending)
    this.#options.digest.update(`${lineFingerprint} `)
    if (this.#options.draft.keep(lineFingerprint)) return
    try {
      this.#read(pending, file, lineFingerprint)
    } catch (error) {
      const rejected = entryRejection(error, file, pending)
      this.#options.digest.update(rejected.reason)
      this.#options.draft.reject(rejected)
    }
  }

  #fingerprintOf({ bytes, scheduleId }: PendingSlot): number {
    if (scheduleId === undefined) return fingerprint(bytes, PART)
    return fingerprint(Buffer.concat([bytes, this.#options.actors.digest(scheduleId)]), PART)
  }

  #read({ bytes, line }: PendingSlot, file: string, lineFingerprint: number): void {
    const resource = asObject(parseResource(bytes.toString(), this.#options.directory.strict).resource)
    if (resource === undefined) throw new InvalidData('resource must be an object')
    const slot = readSlot(resource, this.#options.directory)
    if (slot === undefined) this.#options.draft.withhold()
    else this.#options.draft.put(slot, { file, line, part: PART, fingerprint: lineFingerprint })
  }
}
