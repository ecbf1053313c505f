import { randomUUID } from 'node:crypto'
import { type Connector, FeedFailure, type Publication, type Source } from '../feeds/connector.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type { SnapshotWriter } from '../store/contracts/snapshots.ts'
import type { Anomaly, SnapshotToHold } from '../store/contracts/source-watch.ts'
import type { SourceState, SyncOutcome } from '../store/contracts/sources.ts'
import { LeaseLost, type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { type Arrival, findingsOf, isHeldBack, isLikeHeld } from './anomaly-rules.ts'
import { heldLease } from './kept-lease.ts'
import { nextSyncAt, nextTryAt } from './next-sync.ts'
import { StoredDraft, type Tally } from './snapshot-draft.ts'

/** What a sync works with. */
export interface SyncParts {
  readonly store: Store
  /** Which connector reads this source. */
  readonly connectorOf: (source: Source) => Connector
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** How often a source is read when neither the operator nor its publisher says. */
  readonly everyMsDefault: number
}

export interface SyncOptions {
  /** Ends the sync early: it counts as failed, nothing changes, and the source is due again at once. */
  readonly signal?: AbortSignal
  /** How long a source stays closed to others after the process that read it was killed. */
  readonly leaseMs?: number
  /** How long reading may take in all. */
  readonly readMsMax?: number
  /** Who brought what is read; the log of sources tells, once it is taken in. */
  readonly importedBy?: AuditActor | undefined
}

/** One finished run. */
export interface SyncRun {
  readonly slug: string
  readonly outcome: SyncOutcome
  readonly nextSyncAtMs: number
  /** The store's revision of slots after it; absent unless a snapshot was committed. */
  readonly revision?: number
  /** Many slots before, none now: somebody should look. */
  readonly emptied: boolean
  /** Why the snapshot waits for the operator's yes; absent if it does not. */
  readonly held?: readonly Anomaly[]
}

const LEASE_MS = 30_000

/** Half an hour serves the largest feeds known (some 10 GB) at 6 MB/s; whoever is slower would be out of date when done. */
const READ_MS_MAX = 30 * MINUTE_MS

const ERROR_LENGTH_MAX = 500

/**
 * Reads a source once and makes the store hold what it publishes now; undefined if somebody else is reading it.
 *
 * A failure of the feed or of the connector is an outcome, not an exception: then nothing has changed. Throws if no
 * source has that slug, and if the store fails.
 */
export async function syncSource(
  parts: SyncParts,
  slug: string,
  options: SyncOptions = {},
): Promise<SyncRun | undefined> {
  const found = await parts.store.sources.find(slug)
  if (found === undefined) throw new Error(`Cannot sync: slug must be that of a source: got "${slug}"`)
  const startedAtMs = parts.clock()
  const leaseMs = options.leaseMs ?? LEASE_MS
  const writer = await parts.store.snapshots.begin(found.id, { owner: randomUUID(), leaseMs })
  if (writer === undefined) return undefined
  const run = new Run(parts, writer, startedAtMs, options.importedBy)
  const lease = heldLease(writer, leaseMs)
  const timeout = AbortSignal.timeout(options.readMsMax ?? READ_MS_MAX)
  const signals = [lease.signal, timeout, ...(options.signal === undefined ? [] : [options.signal])]
  try {
    return await run.readAndCommit(AbortSignal.any(signals), lease.stop)
  } catch (error) {
    await lease.stop()
    return await run.fail(whyItEnded(error, signals), options.signal?.aborted === true)
  }
}

class Run {
  readonly #parts: SyncParts
  readonly #writer: SnapshotWriter
  readonly #startedAtMs: number
  readonly #importedBy: AuditActor | undefined

  constructor(
    parts: SyncParts,
    writer: SnapshotWriter,
    startedAtMs: number,
    importedBy: AuditActor | undefined,
  ) {
    this.#parts = parts
    this.#writer = writer
    this.#startedAtMs = startedAtMs
    this.#importedBy = importedBy
  }

  async readAndCommit(signal: AbortSignal, giveUpLease: () => Promise<void>): Promise<SyncRun> {
    const source = asSource(this.#writer.source)
    const draft = new StoredDraft(this.#writer, signal)
    const publication = await this.#parts.connectorOf(source).read(source, draft, signal)
    if (!publication.unchanged) await draft.finish()
    await giveUpLease()
    signal.throwIfAborted()
    return publication.unchanged ? this.#leave(publication) : this.#commit(draft, publication)
  }

  /** Nothing was published: the snapshot, its rejections and the connector's memory stay as they are. */
  async #leave(publication: Publication): Promise<SyncRun> {
    const outcome = this.#outcome(NOTHING, { outcome: 'ok', unchanged: true })
    const nextSyncAtMs = this.#next(publication)
    const { slotCount, watch } = this.#writer.source
    const { all } = findingsOf(this.#arrival(publication, { slotCount, lastEndMs: watch.lastEndMs }))
    const assessment = { anomalies: all, ongoing: all.map(({ kind }) => kind), approved: false }
    await this.#writer.abandon({
      outcome,
      rejections: [],
      nextSyncAtMs,
      ...publishedAtOf(publication),
      assessment,
    })
    return { slug: this.#writer.source.slug, outcome, nextSyncAtMs, emptied: false }
  }

  async #commit(draft: StoredDraft, publication: Publication): Promise<SyncRun> {
    const { tally, rejections, lastEndMs } = draft
    const { slug, slotCount: before, watch, format, connectorState: remembered } = this.#writer.source
    const slotCount = before + tally.added - tally.removed
    // What is read in another way than before, such as after an edit, differs from it by itself.
    const isChanged = remembered !== undefined && tally.added + tally.changed + tally.removed > 0
    const arrival = this.#arrival(publication, { slotCount, isChanged, lastEndMs })
    const { fresh, all } = findingsOf(arrival)
    const differsFromHeld = watch.held === undefined || !isLikeHeld(watch.held, { fresh, slotCount })
    // What is brought by an operator is wanted.
    const isWanted = (watch.nextApproved && !differsFromHeld) || format === 'files'
    if (!isWanted && isHeldBack(watch, fresh))
      return this.#hold(publication, tally, { anomalies: fresh, slotCount, differsFromHeld })
    const outcome = this.#outcome(tally, {
      outcome: tally.rejected === 0 ? 'ok' : 'partial',
      unchanged: false,
    })
    const nextSyncAtMs = this.#next(publication)
    const { memory } = publication
    const assessment = { anomalies: all, ongoing: all.map(({ kind }) => kind), approved: isWanted }
    const end = { outcome, rejections, nextSyncAtMs, ...publishedAtOf(publication), assessment }
    const last = lastEndMs === undefined ? {} : { lastEndMs }
    const by = this.#importedBy === undefined ? {} : { importedBy: this.#importedBy }
    const revision = await this.#writer.commit({ ...end, ...last, ...by, connectorState: memory })
    return { slug, outcome, nextSyncAtMs, revision, emptied: before > 0 && slotCount === 0 }
  }

  /** The last snapshot stays, and the connector's memory with it: so all of this one is read again, until the operator says yes or it looks right. */
  async #hold(publication: Publication, tally: Tally, held: SnapshotToHold): Promise<SyncRun> {
    const outcome = this.#outcome(tally, { outcome: 'held', unchanged: false })
    const nextSyncAtMs = this.#next(publication)
    await this.#writer.abandon({ outcome, rejections: [], nextSyncAtMs, held })
    return { slug: this.#writer.source.slug, outcome, nextSyncAtMs, emptied: false, held: held.anomalies }
  }

  /** A publication that says nothing of its time is from the time before. */
  #arrival(
    { publishedAtMs }: Publication,
    snapshot: { slotCount: number; isChanged?: boolean; lastEndMs: number | undefined },
  ): Arrival {
    const before = this.#writer.source
    return {
      isChanged: false,
      ...snapshot,
      before,
      publishedAtMs: publishedAtMs ?? before.publishedAtMs,
      nowMs: this.#parts.clock(),
    }
  }

  /** If the source was removed or taken over in the meantime, there is nobody left to tell but the caller. */
  async fail(error: unknown, interrupted: boolean): Promise<SyncRun> {
    const { slug, failures } = this.#writer.source
    const nowMs = this.#parts.clock()
    const failure = { failures: failures + 1, retryAfterMs: retryAfterOf(error) }
    // The publisher is not to wait for what was our own fault.
    const isOurs = interrupted || error instanceof LeaseLost || error instanceof StoreUnavailable
    const nextSyncAtMs = isOurs ? nowMs : nextTryAt(nowMs, failure, this.#parts.random())
    const outcome = this.#outcome(NOTHING, { outcome: 'failed', unchanged: false, error: describe(error) })
    try {
      await this.#writer.abandon({ outcome, rejections: [], nextSyncAtMs })
    } catch (lost) {
      if (!(lost instanceof LeaseLost)) throw lost
    }
    return { slug, outcome, nextSyncAtMs, emptied: false }
  }

  #outcome(tally: Tally, end: Pick<SyncOutcome, 'outcome' | 'unchanged' | 'error'>): SyncOutcome {
    const durationMs = Math.max(0, this.#parts.clock() - this.#startedAtMs)
    return { startedAtMs: this.#startedAtMs, durationMs, ...tally, ...end }
  }

  #next({ maxAgeMs }: Publication): number {
    const { clock, everyMsDefault } = this.#parts
    const times = { startedAtMs: this.#startedAtMs, finishedAtMs: clock() }
    return nextSyncAt(times, { everyMs: this.#writer.source.everyMs, maxAgeMs, everyMsDefault })
  }
}

const NOTHING: Tally = { read: 0, added: 0, changed: 0, removed: 0, rejected: 0, withheld: 0 }

function asSource({ slug, format, url, options, strict }: SourceState): Source {
  return { slug, format, url, options, strict }
}

function publishedAtOf({ publishedAtMs }: Publication): { publishedAtMs?: number } {
  return publishedAtMs === undefined ? {} : { publishedAtMs }
}

/** A connector that was told to stop throws one thing or another; the signal knows why. */
function whyItEnded(error: unknown, signals: readonly AbortSignal[]): unknown {
  return signals.find((signal) => signal.aborted)?.reason ?? error
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof FeedFailure ? error.retryAfterMs : undefined
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `Cannot sync: ${String(error)}`.slice(0, ERROR_LENGTH_MAX)
  if (error.name === 'TimeoutError') return 'Cannot read feed: it took longer than a sync may take in all'
  if (error.name === 'AbortError') return 'Cannot read feed: the sync was stopped meanwhile'
  const message =
    error.name === 'Error' || error instanceof FeedFailure ? error.message : `${error.name}: ${error.message}`
  return message.slice(0, ERROR_LENGTH_MAX)
}
