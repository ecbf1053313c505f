import { randomUUID } from 'node:crypto'
import type { Connector, Publication, Source } from '../feeds/connector.ts'
import { defined } from '../lib/optional.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { applyHorizons, decodeHorizons, encodeHorizons } from '../slot/planning-horizon.ts'
import type { AuditActor } from '../store/contracts/audit.ts'
import type { SnapshotWriter, SyncEnd } from '../store/contracts/snapshots.ts'
import type { Anomaly, SnapshotToHold } from '../store/contracts/source-watch.ts'
import type { SyncOutcome } from '../store/contracts/sources.ts'
import { LeaseLost, LimitReached, type Store, StoreUnavailable } from '../store/contracts/store.ts'
import { detectAnomalies, matchesHeldSnapshot, type NewSnapshot, needsReview } from './anomaly-rules.ts'
import { renewLease } from './lease-renewal.ts'
import { nextSyncAt, nextTryAt } from './next-sync.ts'
import { readSource } from './read-source.ts'
import { SlotLimit } from './slot-limit.ts'
import type { DraftCounts, StoredDraft } from './snapshot-draft.ts'
import { describeFailure, endReason, retryAfterOf } from './sync-failure.ts'

export interface SyncDependencies {
  readonly store: Store
  /** The connector for a source. */
  readonly connectorOf: (source: Source) => Connector
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** Sync interval if neither the operator nor the publisher provides one. */
  readonly everyMsDefault: number
  /** Slots of all sources together; absent for no limit. */
  readonly slotsMax?: number | undefined
}

/** The dependencies of recording a sync without reading its feed. */
export type RecordingDependencies = Omit<SyncDependencies, 'connectorOf'>

export interface SyncOptions {
  /** Ends the sync early: it counts as failed, nothing changes, and the source is due again immediately. */
  readonly signal?: AbortSignal
  /** How long a source stays locked after the process that reads it was killed. */
  readonly leaseMs?: number
  /** The process that syncs, for the lease; by default unique for this sync. */
  readonly owner?: string
  /**
   * Count the previous sync as failed, and do not sync, if its process ended before it did. So a feed that ends the process is read
   * less often, like others that fail.
   */
  readonly countsCrash?: boolean
  /** Maximum total reading time. */
  readonly readMsMax?: number
  /** Who imported the file, for the source log; recorded when the import is committed. */
  readonly importedBy?: AuditActor | undefined
}

/** A finished sync. */
export interface SyncRun {
  readonly slug: string
  readonly outcome: SyncOutcome
  readonly nextSyncAtMs: number
  /** The store's slot revision; absent unless a snapshot was committed. */
  readonly revision?: number
  /** The source had slots before and has none now. */
  readonly emptied: boolean
  /** Why the snapshot is held for review; absent if it is not held. */
  readonly held?: readonly Anomaly[]
  /** The source was changed so that its lease was revoked, or another process syncs it: the outcome was not stored. */
  readonly revoked?: true
  /** It failed because the store could not be used or written, not because of the feed. */
  readonly storeFailed?: true
}

const LEASE_MS = 30_000

/** Enough for the largest known feeds (about 10 GB) at 6 MB/s; a slower one would be out of date when finished. */
const READ_MS_MAX = 30 * MINUTE_MS

/**
 * Reads a source once and replaces its snapshot in the store; returns undefined if another process is reading it.
 *
 *     begin (lease) → read ─┬─ unchanged → keep the snapshot
 *                           ├─ suspicious → hold for review, keep the last snapshot
 *                           ├─ otherwise → commit
 *                           └─ error → failed, keep the last snapshot
 *
 * An error of the feed or the connector is an outcome, not an exception. Throws if no source has that slug or the store fails.
 */
export async function syncSource(
  dependencies: SyncDependencies,
  slug: string,
  options: SyncOptions = {},
): Promise<SyncRun | undefined> {
  const found = await dependencies.store.sources.find(slug)
  if (found === undefined) throw new Error(`Cannot sync: no source has the slug "${slug}"`)
  const startedAtMs = dependencies.clock()
  const leaseMs = options.leaseMs ?? LEASE_MS
  const writer = await dependencies.store.snapshots.begin(found.id, { owner: options.owner ?? randomUUID(), leaseMs })
  if (writer === undefined) return undefined
  const run = new Run(dependencies, writer, startedAtMs, options.importedBy)
  if (writer.followsCrash && options.countsCrash) return run.fail(new Error(CRASHED), false)
  const lease = renewLease(writer, leaseMs)
  const timeout = AbortSignal.timeout(options.readMsMax ?? READ_MS_MAX)
  const signals = [lease.signal, timeout, ...(options.signal === undefined ? [] : [options.signal])]
  try {
    return await run.readAndCommit(dependencies.connectorOf, AbortSignal.any(signals), lease.stop)
  } catch (error) {
    await lease.stop()
    return await run.fail(endReason(error, signals), options.signal?.aborted === true)
  }
}

const CRASHED = 'The last sync did not finish: its process was killed, or lost the database'

/**
 * Records the failure of a sync that its owner had begun and that cannot record it, because its process ended. Undefined if that sync
 * had ended, or the source was paused, edited or removed.
 */
export async function recordFailure(
  dependencies: RecordingDependencies,
  slug: string,
  ended: { owner: string; startedAtMs: number; reason: Error; interrupted: boolean },
): Promise<SyncRun | undefined> {
  const { store } = dependencies
  const found = await store.sources.find(slug)
  if (found === undefined) return undefined
  const writer = await store.snapshots.begin(found.id, { owner: ended.owner, leaseMs: LEASE_MS, resume: true })
  if (writer === undefined) return undefined
  return new Run(dependencies, writer, ended.startedAtMs, undefined).fail(ended.reason, ended.interrupted)
}

class Run {
  readonly #dependencies: RecordingDependencies
  readonly #writer: SnapshotWriter
  readonly #startedAtMs: number
  readonly #importedBy: AuditActor | undefined

  constructor(
    dependencies: RecordingDependencies,
    writer: SnapshotWriter,
    startedAtMs: number,
    importedBy: AuditActor | undefined,
  ) {
    this.#dependencies = dependencies
    this.#writer = writer
    this.#startedAtMs = startedAtMs
    this.#importedBy = importedBy
  }

  async readAndCommit(
    connectorOf: SyncDependencies['connectorOf'],
    signal: AbortSignal,
    stopRenewal: () => Promise<void>,
  ): Promise<SyncRun> {
    const limit = await SlotLimit.of(this.#writer, this.#slotsMax)
    const { draft, publication } = await readSource(connectorOf, { writer: this.#writer, signal, limit })
    await stopRenewal()
    signal.throwIfAborted()
    if (publication.unchanged) return this.#keep(publication)
    return this.#commit(draft, publication).catch((error: unknown) => {
      // Another source took the room while this one was read.
      throw error instanceof LimitReached ? limit.serviceFull() : error
    })
  }

  get #slotsMax(): number {
    return this.#dependencies.slotsMax ?? Number.POSITIVE_INFINITY
  }

  /** Nothing was published: keeps the snapshot, its rejections and the connector state. The lines of the snapshot count as read. */
  async #keep(publication: Publication): Promise<SyncRun> {
    const { slotCount, watch } = this.#writer.source
    const { read, rejected, withheld, testSlots } = watch.lastRead ?? NO_COUNTS
    const counts = { ...NO_COUNTS, read, rejected, withheld, ...defined({ testSlots }) }
    const outcome = this.#outcome(counts, { unchanged: true })
    const nextSyncAtMs = this.#next(publication)
    const { all } = detectAnomalies(
      this.#arrival(publication, { slotCount, lines: { read, rejected }, lastEndMs: watch.lastEndMs }),
    )
    const assessment = { anomalies: all, ongoing: all.map(({ kind }) => kind), approved: false }
    await this.#writer.abandon({
      outcome,
      rejections: [],
      nextSyncAtMs,
      ...reportOf(publication),
      assessment,
    })
    return { slug: this.#writer.source.slug, outcome, nextSyncAtMs, emptied: false }
  }

  async #commit(draft: StoredDraft, publication: Publication): Promise<SyncRun> {
    const { counts, rejections, lastEndMs } = draft
    const { slug, slotCount: before, watch, format, connectorState: remembered } = this.#writer.source
    const slotCount = before + counts.added - counts.removed
    // Without connector state, as after an edit, differences say nothing about the publisher's timestamp.
    const isChanged = remembered !== undefined && counts.added + counts.changed + counts.removed > 0
    const endedCount = draft.endedCount(this.#dependencies.clock())
    const states = await this.#statesOf(draft)
    const { lines } = draft
    const arrival = this.#arrival(publication, { slotCount, endedCount, lines, isChanged, lastEndMs, states })
    const { detected, all } = detectAnomalies(arrival)
    const differsFromHeld = watch.held === undefined || !matchesHeldSnapshot(watch.held, { detected, slotCount })
    // Imported files are never held for review.
    const isApproved = (watch.nextApproved && !differsFromHeld) || format === 'files'
    if (!isApproved && needsReview(watch, detected))
      return this.#hold(publication, counts, { anomalies: detected, slotCount, differsFromHeld })
    const outcome = this.#outcome(counts)
    const nextSyncAtMs = this.#next(publication)
    const assessment = { anomalies: all, ongoing: all.map(({ kind }) => kind), approved: isApproved }
    const revision = await this.#writer.commit({
      outcome,
      rejections,
      nextSyncAtMs,
      ...reportOf(publication),
      assessment,
      slotsMax: this.#slotsMax,
      ...defined({ lastEndMs, importedBy: this.#importedBy }),
      connectorState: publication.state,
      ...draft.resources.toCommit,
      ...(await this.#horizonsAfter(publication)),
    })
    return { slug, outcome, nextSyncAtMs, revision, emptied: before > 0 && slotCount === 0 }
  }

  /** Both snapshots are searched for states only if they can be lost: if no slot that was read has one, and slots with one may be gone. */
  async #statesOf({ hasStates, counts: { changed, removed } }: StoredDraft): Promise<NewSnapshot['states']> {
    if (hasStates !== false) return hasStates && 'some'
    if (changed + removed === 0) return undefined
    const { served, held } = await this.#writer.compare()
    return held.states.length === 0 && served.states.length > 0 ? 'lost' : undefined
  }

  async #horizonsAfter({ horizons }: Publication): Promise<{ horizons?: string }> {
    if (horizons === undefined) return {}
    const before = decodeHorizons(await this.#writer.readHorizons())
    return { horizons: encodeHorizons(applyHorizons(before, horizons)) }
  }

  /** Keeps the last snapshot and the connector state, so that the next sync reads this publication again completely. */
  async #hold(publication: Publication, counts: DraftCounts, held: SnapshotToHold): Promise<SyncRun> {
    const outcome = this.#outcome(counts, { outcome: 'held' })
    const nextSyncAtMs = this.#next(publication)
    const comparison = await this.#writer.compare()
    await this.#writer.abandon({ outcome, rejections: [], nextSyncAtMs, held: { ...held, comparison } })
    return { slug: this.#writer.source.slug, outcome, nextSyncAtMs, emptied: false, held: held.anomalies }
  }

  /** A publication without a timestamp keeps the previous one. */
  #arrival(
    { publishedAtMs }: Publication,
    snapshot: Pick<NewSnapshot, 'slotCount' | 'endedCount' | 'lines' | 'lastEndMs' | 'states'> & {
      isChanged?: boolean
    },
  ): NewSnapshot {
    const before = this.#writer.source
    return {
      isChanged: false,
      ...snapshot,
      before,
      publishedAtMs: publishedAtMs ?? before.publishedAtMs,
      nowMs: this.#dependencies.clock(),
    }
  }

  /** If the lease was lost because the source was removed or taken over, only the caller learns of the failure. */
  async fail(reason: unknown, interrupted: boolean): Promise<SyncRun> {
    const { slug, failures, format } = this.#writer.source
    const nowMs = this.#dependencies.clock()
    const storeFailed = reason instanceof StoreUnavailable
    // A full disk may last: the publisher is asked once a minute, without further back-off.
    const failure = { failures: storeFailed ? 1 : failures + 1, retryAfterMs: retryAfterOf(reason) }
    const isRepeated = interrupted || reason instanceof LeaseLost
    const nextSyncAtMs = isRepeated ? nowMs : nextTryAt(nowMs, failure, this.#dependencies.random())
    const outcome = this.#outcome(NO_COUNTS, { outcome: 'failed', error: describeFailure(reason, format) })
    const isStopped = storeFailed || (interrupted && reason instanceof Error && reason.name === 'AbortError')
    try {
      await this.#writer.abandon({ outcome, rejections: [], nextSyncAtMs, isStopped })
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
      return { slug, outcome, nextSyncAtMs, emptied: false, revoked: true }
    }
    return { slug, outcome, nextSyncAtMs, emptied: false, ...(storeFailed && { storeFailed }) }
  }

  #outcome(counts: DraftCounts, end: Partial<SyncOutcome> = {}): SyncOutcome {
    const outcome = counts.rejected === 0 ? 'ok' : 'partial'
    const durationMs = Math.max(0, this.#dependencies.clock() - this.#startedAtMs)
    return { startedAtMs: this.#startedAtMs, durationMs, ...counts, outcome, unchanged: false, ...end }
  }

  #next({ updateCadenceMs, maxAgeMs }: Publication): number {
    const { clock, everyMsDefault } = this.#dependencies
    const times = { startedAtMs: this.#startedAtMs, finishedAtMs: clock() }
    return nextSyncAt(times, { everyMs: this.#writer.source.everyMs, updateCadenceMs, maxAgeMs, everyMsDefault })
  }
}

const NO_COUNTS: DraftCounts = { read: 0, added: 0, changed: 0, removed: 0, rejected: 0, withheld: 0 }

/** The publisher's statements about its publication. */
function reportOf({ publishedAtMs, messages }: Publication): Pick<SyncEnd, 'publishedAtMs' | 'messages'> {
  return defined({ publishedAtMs, messages })
}
