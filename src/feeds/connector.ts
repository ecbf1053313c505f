import { singleLine } from '../lib/text.ts'
import type { SourceFormat, SourceMessage } from '../shared/source-vocabulary.ts'
import type { HorizonChanges } from '../slot/planning-horizon.ts'
import type { EncodedSlot, Slot } from '../slot/slot.ts'
import type { FeedResources, SnapshotUpdate } from './feed-resources.ts'
import type { SourceOptions } from './source-options.ts'

/** One configured feed, as a connector sees it. */
export interface Source {
  /** Identifies the publisher: lower-case letters, digits and hyphens. */
  readonly slug: string
  readonly format: SourceFormat
  /**
   * Where the feed starts: the `$bulk-publish` manifest for `smart-links`, the server's base for `fhir-search`. Empty for
   * `files`, which are uploaded instead of fetched.
   */
  readonly url: string

  readonly options: SourceOptions
  /** Reject input that the specification forbids instead of reading it leniently. */
  readonly strict: boolean
}

/** Environment variables `SOURCE_…` that the options of sources may refer to, by name. */
export type SourceSecrets = Readonly<Record<string, string>>

/** Why a line was rejected: it is invalid, it repeats a slot, or the server denies access to what it refers to. */
type RejectionCode = 'invalid' | 'duplicate' | 'denied'

/** A line that could not become a slot: where, and why. */
export interface Rejected {
  readonly code: RejectionCode
  /** The URL or path of the file. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** One sentence, at most 300 characters: the actual and the expected value. */
  readonly reason: string
  /** The beginning of the line, at most 500 characters. */
  readonly sample: string
}

/** The result of reading a feed. */
export interface Publication {
  /** Nothing was published since the last snapshot; the caller drops the draft. */
  readonly unchanged: boolean
  /** The connector state, passed to its next run as `SnapshotDraft.state`: JSON, opaque to everyone else. */
  readonly state: unknown
  /** The `max-age` that the publisher sent; absent without one. */
  readonly maxAgeMs?: number
  /** How often the publisher says that it publishes. */
  readonly updateCadenceMs?: number
  /** When the publisher generated its feed (the manifest's `transactionTime`), in milliseconds since 1970. */
  readonly publishedAtMs?: number
  /** The publisher's reports about its feed: see `SourceMessages`. Absent if it was not asked, as for an unchanged manifest. */
  readonly messages?: readonly SourceMessage[]
  /** Absent: as in the last publication. */
  readonly horizons?: HorizonChanges
  /**
   * The publication was replaced or changed while it was read, so what was read may be of two. The caller reads again, some times, and
   * then keeps what was read: a publisher that is faster than its readers is served, too.
   */
  readonly isMixed?: boolean
}

/** Receives the rejections of readers of lines. */
export interface LineDraft {
  /**
   * True if the last snapshot has a slot that was read from a line with this fingerprint: the slot is kept, and the line
   * need not be parsed. False for the second of two equal lines, which `put` then rejects as a duplicate.
   * The caller guarantees that the line has the same meaning as before.
   */
  keep(fingerprint: number): boolean
  /**
   * Adds a slot. `part` is the connector's number of the file, `fingerprint` an integer below 2^53 that identifies the line.
   * A second slot with the same id is rejected at `line`.
   */
  put(slot: Slot, origin: Origin): void
  /** The same for a slot that was encoded in another thread. Absent if the draft needs the fields of each slot. */
  putEncoded?(slot: EncodedSlot, origin: Origin): void
  reject(rejected: Rejected): void
  withhold(): void
}

/**
 * The next snapshot of a source while it is being read.
 *
 * A connector reports every line of every Slot file by exactly one of `keep` (read before and unchanged), `put`, `reject`,
 * or `withhold` (valid, but never served: `entered-in-error`, `nopt`).
 */
export interface SnapshotDraft extends LineDraft {
  /** `Publication.state` of the last committed snapshot, or undefined at first. */
  readonly state: unknown
  /**
   * Loads the last snapshot for `keep` and `keepPart`, which throw before. Await it only once it is known that something was
   * published: it reads the whole snapshot. Further calls cost nothing.
   */
  recall(): Promise<void>
  /**
   * Keeps the slots of a part (a file) that the publisher reports as unchanged. False, and none is kept, unless there are `count`: another
   * part has a slot of this one, or had it in the last snapshot. The caller then reads the part.
   */
  keepPart(part: number, count: number): boolean
  /** The resources that the snapshot is made of, for feeds that publish updates. */
  readonly resources: FeedResources
  /** Begins an update of the last snapshot, instead of a new one: nothing else may be reported then. */
  startUpdate(): SnapshotUpdate
  /** Writes the buffered lines. Await it after each chunk of input (some thousand lines) for back-pressure. */
  flush(): Promise<void>
}

/** The draft with some of its methods replaced. All slots are put with `put` if that is one of them. */
export function overrideDraft(draft: SnapshotDraft, methods: Partial<SnapshotDraft>): SnapshotDraft {
  return {
    state: draft.state,
    recall: () => draft.recall(),
    keep: (fingerprint) => draft.keep(fingerprint),
    keepPart: (part, count) => draft.keepPart(part, count),
    put: (slot, origin) => draft.put(slot, origin),
    ...(draft.putEncoded !== undefined &&
      methods.put === undefined && { putEncoded: (slot, origin) => draft.putEncoded?.(slot, origin) }),
    reject: (rejected) => draft.reject(rejected),
    withhold: () => draft.withhold(),
    flush: () => draft.flush(),
    get resources() {
      return draft.resources
    },
    startUpdate: () => draft.startUpdate(),
    ...methods,
  }
}

/** Where a slot was read from. */
export interface Origin {
  readonly file: string
  readonly line: number
  readonly part: number
  readonly fingerprint: number
}

/** Reads one kind of feed. Depends on formats, not on stores, indexes or sync schedules. */
export interface Connector {
  /**
   * Streams the publisher's current slots into the draft, in any order.
   *
   * Throws `FeedFailure` if the feed as a whole cannot be read: the caller then drops the draft and keeps the last snapshot.
   */
  read(source: Source, draft: SnapshotDraft, signal: AbortSignal): Promise<Publication>
}

/** The feed as a whole could not be read. The message is one line; `retryAfterMs` is the publisher's `Retry-After` (429, 503). */
export class FeedFailure extends Error {
  override readonly name = 'FeedFailure'
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(singleLine(message), options.cause === undefined ? {} : { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The parts that were read do not fit together, as an update and the last snapshot. The caller drops the draft and reads again, some times. */
export class ReadAgain extends FeedFailure {
  /** Without the connector's state: reads everything. */
  readonly fromScratch: boolean

  constructor(message: string, { fromScratch }: { fromScratch: boolean }) {
    super(message)
    this.fromScratch = fromScratch
  }
}
