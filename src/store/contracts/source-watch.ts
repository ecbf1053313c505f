import type { SourceHealth } from '../../slot/source-freshness.ts'
import type { SyncOutcome } from './source-store.ts'

/** What makes a snapshot suspicious: see `sync/suspicion.ts`. */
export const ANOMALY_KINDS = [
  'emptied',
  'dropped',
  'ended',
  'clock-back',
  'clock-stuck',
  'clock-old',
] as const
export type AnomalyKind = (typeof ANOMALY_KINDS)[number]

/** Which suspicious snapshots wait for the operator's yes: none, those that hold no slots any more, or every one. */
export const REVIEW_POLICIES = ['nothing', 'emptied', 'suspicious'] as const
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number]

/** Something suspicious about a snapshot, found when it was read. */
export interface Anomaly {
  readonly kind: AnomalyKind
  readonly atMs: number
  /** How many slots there were before, and in the snapshot. */
  readonly before: number
  readonly after: number
}

/** What came and was not taken in. */
export interface HeldSnapshot {
  readonly anomalies: readonly Anomaly[]
  /** When the first of those came that were held in a row and alike, and the last. By the first a yes tells what it is to. */
  readonly sinceMs: number
  readonly atMs: number
  readonly before: number
  readonly after: number
}

/** What came and is to be held. */
export interface SnapshotToHold {
  readonly anomalies: readonly Anomaly[]
  readonly slotCount: number
  /** Not like what is held already, if anything is: a yes to that is no yes to this. */
  readonly differsFromHeld?: boolean
}

/** The longest time without a change that ended on a day (of UTC, counted from 1970). */
export interface ChangeGap {
  readonly day: number
  readonly longestMs: number
}

/** How many days of pauses are kept. */
export const CHANGE_GAP_DAYS_MAX = 14

/** What is known of a source to judge it by. */
export interface SourceWatch {
  readonly reviewPolicy: ReviewPolicy
  /** The operator said yes: the next snapshot is taken in, if it is like the one that is held. */
  readonly nextApproved: boolean
  /** Absent unless the snapshot that came last is held. */
  readonly held?: HeldSnapshot
  /** What was suspicious when the snapshot that is served was last looked at. */
  readonly anomalies: readonly Anomaly[]
  /** What the operator said yes to, for as long as it goes on. */
  readonly approved: readonly AnomalyKind[]
  /** Of the newest days that had one, at most `CHANGE_GAP_DAYS_MAX`, in order. */
  readonly changeGaps: readonly ChangeGap[]
  /** When the last slot of the snapshot ends; absent where there is none, and where no sync of this version has read it. */
  readonly lastEndMs?: number
  /** The last sync that was committed: what was rejected then still is. */
  readonly lastRead?: SyncOutcome
  /** Somebody is reading it, unless this time is over. */
  readonly readUntilMs?: number
  /** How it did when it was last looked after, and since when. */
  readonly health: SourceHealth
  readonly healthSinceMs: number
}

/** What a good sync found out about what is served from now on. */
export interface AnomalyAssessment {
  readonly anomalies: readonly Anomaly[]
  /** What is suspicious now, said yes to or not: a yes to anything else is over. */
  readonly ongoing: readonly AnomalyKind[]
  /** The operator said yes to all that is ongoing. */
  readonly approved: boolean
}

/** A change of a source's health. */
export interface HealthEvent {
  /** Grows from event to event. */
  readonly id: number
  readonly slug: string
  readonly from: SourceHealth
  readonly to: SourceHealth
  /** One sentence; empty for `healthy`. */
  readonly why: string
  readonly atMs: number
}

/** How many events of a source are kept. */
export const HEALTH_EVENTS_MAX = 100

/** What became of the health of sources; the events of a source that is removed go with it. */
export interface HealthLog {
  /**
   * Stores a change and its event, on the disk before the promise resolves. False if the source is gone or its health is
   * no longer `from`: so of all who see a change, one stores it.
   */
  record(sourceId: number, change: Omit<HealthEvent, 'id' | 'slug'>): Promise<boolean>
  /** Oldest first, from behind an id: what somebody tells on who remembers how far they came. */
  after(id: number, limit: number): Promise<HealthEvent[]>
  /** Newest first, at most `HEALTH_EVENTS_MAX`. */
  ofSource(sourceId: number): Promise<HealthEvent[]>
}

/** Who does what only one node is to do. */
export interface JobLockStore {
  /** True if it is the owner's from now on for `ms`: nobody else's, or the owner's already. */
  acquire(name: string, owner: string, ms: number): Promise<boolean>
}

/** How many open slots a source had, by state; the empty text stands for all of them, whatever their states. */
export type OpenCounts = ReadonlyMap<string, number>

/** How finely the past is kept: 14 days by the hour, 400 days by the day. */
export type HistorySpan = 'hours' | 'days'

/** How many points of each are kept. */
export const HISTORY_POINTS: Readonly<Record<HistorySpan, number>> = { hours: 14 * 24, days: 400 }

/** Open slots of a source at evenly spaced times, oldest first; null where nobody counted. */
export interface OpenSlotSeries {
  readonly fromMs: number
  readonly stepMs: number
  /** Each as long as the others; the empty text stands for all slots. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>
}

/** Open slots over time. At most some 30 rows a source, each a few numbers for each of its states. */
export interface OpenSlotHistory {
  /** True if the hour of a time was counted already. */
  has(atMs: number): Promise<boolean>
  /** Keeps the counts of a time's hour by slug, over what was counted in it before; forgets what is older than is kept. */
  put(atMs: number, counts: ReadonlyMap<string, OpenCounts>): Promise<void>
  /** The points up to a time's own. */
  read(sourceId: number, span: HistorySpan, nowMs: number): Promise<OpenSlotSeries>
}
