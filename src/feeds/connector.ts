import { singleLine } from '../lib/text.ts'
import type { SourceFormat } from '../shared/source-vocabulary.ts'
import type { Slot } from '../slot/slot.ts'
import type { SourceOptions } from './source-options.ts'

/** One configured feed, as a connector sees it. */
export interface Source {
  /** Our name of the publisher: lower-case letters, digits and hyphens. */
  readonly slug: string
  readonly format: SourceFormat
  /**
   * Where the feed starts: for `smart-links` the `$bulk-publish` manifest, for `fhir-search` the server's base; for `files`,
   * which are brought instead of fetched, the empty text.
   */
  readonly url: string
  /** How its publisher wants to be asked. */
  readonly options: SourceOptions
  /** Refuse what the specification forbids, instead of reading it leniently. */
  readonly strict: boolean
}

/** What `${SOURCE_…}` stands for; undefined if the environment does not say. */
export type SecretOf = (name: string) => string | undefined

/** A line that could not become a slot: where, and why. */
export interface Rejected {
  /** The URL or path of the file. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** One sentence that names what was wrong and what would be right; never longer than 300 characters. */
  readonly reason: string
  /** The beginning of the line, at most 500 characters. */
  readonly sample: string
}

/** How many lines of Slot files came to what: `kept + put + rejected + withheld` is their number. */
export interface Publication {
  /** Nothing was published since the last snapshot: the draft is to be dropped. All counts are 0. */
  readonly unchanged: boolean
  /** What the connector wants back as `SnapshotDraft.memory` next time: JSON, opaque to everyone else. */
  readonly memory: unknown
  /** How long the publisher asks not to be asked again; absent when it says nothing. */
  readonly maxAgeMs?: number
  /** When the publisher says its feed is from (the manifest's `transactionTime`), in milliseconds since 1970. */
  readonly publishedAtMs?: number
}

/**
 * The next snapshot of a source while it is being read.
 *
 * A connector offers it every line of every Slot file, in one of four ways: `keep` (read before and unchanged),
 * `put`, `reject`, or `withhold` (valid, but never served: `entered-in-error`, `nopt`).
 */
export interface SnapshotDraft {
  /** `Publication.memory` of the last committed snapshot, or undefined at first. */
  readonly memory: unknown
  /**
   * Makes ready for `keep` and `keepPart`, which throw before: to be awaited ahead of the first of them, and only once
   * it is known that something was published, for it reads all that the last snapshot holds. Further calls cost nothing.
   */
  recall(): Promise<void>
  /**
   * True if the last snapshot holds a slot that was read from a line with this fingerprint: it stays, and the line
   * need not be read. False also for the second of two equal lines, which is then a duplicate to `put`.
   * The caller vouches that the line means the same as it did then.
   */
  keep(fingerprint: number): boolean
  /** Keeps all slots of a part (a file) that the publisher says is unchanged. Returns how many. */
  keepPart(part: number): number
  /**
   * Adds a slot. `part` is the connector's own number of the file, `fingerprint` an integer below 2^53 that stands
   * for the line. A second slot of the same id becomes a `Rejected` at `line`.
   */
  put(slot: Slot, origin: Origin): void
  reject(rejected: Rejected): void
  withhold(): void
  /** Writes out what has gathered. To be awaited after each piece of input (some thousand lines): this is the back-pressure. */
  flush(): Promise<void>
}

/** Where a slot was read. */
export interface Origin {
  readonly file: string
  readonly line: number
  readonly part: number
  readonly fingerprint: number
}

/** Reads one kind of feed. Knows formats and their oddities; knows nothing of stores, indexes or schedules. */
export interface Connector {
  /**
   * Reads what the publisher offers now into the draft, in any order, without holding a file in memory.
   *
   * Throws `FeedFailure` if the feed as a whole cannot be read: the caller then drops the draft and keeps what it had.
   */
  read(source: Source, draft: SnapshotDraft, signal: AbortSignal): Promise<Publication>
}

/** The feed as a whole could not be read. The message is one line. `retryAfterMs` is what the publisher asked for (429, 503), if it did. */
export class FeedFailure extends Error {
  override readonly name = 'FeedFailure'
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(singleLine(message), options.cause === undefined ? {} : { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}
