import type { Hash } from 'node:crypto'
import { asObject, type Json } from '../../lib/json.ts'
import { parseInstant } from '../../slot/instant.ts'
import type { SnapshotDraft } from '../connector.ts'
import { parseReference } from '../fhir/data-types.ts'
import type { Directory } from '../fhir/directory.ts'
import { parseResource } from '../fhir/parse-resource.ts'
import { readSlot } from '../fhir/read-slot.ts'
import { schedulingLocationOf } from '../fhir/scheduling-location.ts'
import { fingerprint, type LineBatch } from '../http/lines.ts'
import { IdSet } from '../id-set.ts'
import { InvalidData } from '../rejections.ts'
import type { SourceMessages } from '../source-messages.ts'
import type { ActorSearch, SlotReferences } from './actor-search.ts'
import { EntryReader, entryRejection, type PendingEntry, type RejectionSink } from './entry-reader.ts'
import type { EntryHandler } from './search.ts'
import type { SearchRange, SearchWindow } from './slot-query.ts'

const SLOTS_PER_FLUSH = 2000

/** 800 kB. Of further Slots, repeated ones go unnoticed. */
const IDS_MAX = 2 ** 15

/** Pages are not files that could be unchanged: all slots belong to one part. */
const PART = 0

interface SlotPagesOptions {
  readonly directory: Directory
  readonly draft: SnapshotDraft
  /** Receives rejections of entries that are not slots. */
  readonly entries: RejectionSink
  readonly messages: SourceMessages
  readonly actors: ActorSearch
  /** Slots that start after it or have ended are withheld; undefined for no limit. */
  readonly window: SearchWindow | undefined
  /** The ranges of the searches that cover the window. */
  readonly ranges: readonly (SearchRange | undefined)[]
  /** Updated with every slot in order, including its referenced resources. */
  readonly digest: Hash
}

/** A Slot buffered until the end of its page, as bytes: small, and outside the heap. */
interface PendingSlot extends Pick<PendingEntry, 'bytes' | 'line'> {
  /** Undefined without a valid reference to a Schedule. */
  readonly references: SlotReferences | undefined
}

/**
 * Reads the pages of a Slot search into the draft. Buffers the Slots of a page until its end, when their references are
 * resolved. A known Slot with unchanged references is kept without being parsed.
 */
export class SlotPages implements EntryHandler {
  readonly #options: SlotPagesOptions
  readonly #entries: EntryReader
  #pending: PendingSlot[] = []
  #range = 0
  readonly #ids = new IdSet(IDS_MAX)
  readonly #idsOfPage = new Set<string>()
  #isMixed = false

  constructor(options: SlotPagesOptions) {
    this.#options = options
    const { directory, entries, messages } = options
    this.#entries = new EntryReader({ directory, draft: entries, messages, takeSlot: (entry) => this.#buffer(entry) })
  }

  /** The following pages are those of a search of this range. */
  startRange(index: number): void {
    this.#range = index
  }

  /** A Slot is on two pages: it moved while they were read, or others did. */
  get isMixed(): boolean {
    return this.#isMixed
  }

  take(entries: LineBatch, file: string): number {
    return this.#entries.take(entries, file)
  }

  async finishPage(file: string): Promise<void> {
    for (const id of this.#idsOfPage) if (!this.#ids.add(id)) this.#isMixed = true
    this.#idsOfPage.clear()
    const pending = this.#pending
    this.#pending = []
    const { actors, draft } = this.#options
    await actors.complete(pending.flatMap(({ references }) => references ?? []))
    await draft.recall()
    for (let at = 0; at < pending.length; at++) {
      this.#settle(pending[at], file)
      if (at % SLOTS_PER_FLUSH === SLOTS_PER_FLUSH - 1) await draft.flush()
    }
    await draft.flush()
  }

  #buffer({ bytes, line, resource }: PendingEntry): void {
    const range = this.#rangeOf(resource)
    if (range !== undefined && range !== this.#range) return
    if (range !== undefined && typeof resource.id === 'string') this.#idsOfPage.add(resource.id)
    if (this.#isOutside(resource)) {
      this.#options.draft.withhold()
      return
    }
    const target = parseReference(asObject(resource.schedule) ?? {})
    const isSchedule = target !== undefined && (target.type ?? 'Schedule') === 'Schedule'
    const references = isSchedule ? { scheduleId: target.id, placeId: schedulingLocationOf(resource)?.id } : undefined
    this.#pending.push({ bytes, line, references })
  }

  /** A slot that lies in two ranges belongs to the first; undefined for one that several searches may return. */
  #rangeOf({ start, end }: Json): number | undefined {
    const { ranges } = this.#options
    if (ranges.length === 1) return this.#range
    const [startMs, endMs] = [millisecondsOf(start), millisecondsOf(end)]
    if (startMs === undefined || endMs === undefined) return undefined
    const first = ranges.findIndex((range) => range && startMs >= range.fromMs && endMs <= range.untilMs)
    return first === -1 ? undefined : first
  }

  /** Some servers ignore the search by time and send all slots. */
  #isOutside({ start, end }: Json): boolean {
    const { window } = this.#options
    if (window === undefined) return false
    const startMs = millisecondsOf(start) ?? 0
    if (startMs > window.endedMs) return startMs >= window.untilMs
    return (millisecondsOf(end) ?? window.untilMs) <= window.endedMs
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

  #fingerprintOf({ bytes, references }: PendingSlot): number {
    if (references === undefined) return fingerprint(bytes, PART)
    return fingerprint(Buffer.concat([bytes, this.#options.actors.digest(references)]), PART)
  }

  #read({ bytes, line }: PendingSlot, file: string, lineFingerprint: number): void {
    const resource = asObject(parseResource(bytes.toString(), this.#options.directory.strict).resource)
    if (resource === undefined) throw new InvalidData('resource must be an object')
    const slot = readSlot(resource, this.#options.directory)
    if (slot === undefined) this.#options.draft.withhold()
    else this.#options.draft.put(slot, { file, line, part: PART, fingerprint: lineFingerprint })
  }
}

/** Milliseconds since 1970; undefined if it is not an instant. */
function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value)?.ms : undefined
}
