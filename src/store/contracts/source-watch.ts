import type { AnomalyKind, ReviewPolicy } from '../../shared/source-vocabulary.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import type { SyncOutcome } from './sources.ts'

/** An anomaly of a snapshot, found when it was read. */
export interface Anomaly {
  readonly kind: AnomalyKind
  readonly atMs: number
  /** Slots in the served snapshot, and in the new one. `dropped`: slots that had ended and are gone do not count. */
  readonly before: number
  readonly after: number
  /** Of a share of rejections: the lines of the new snapshot. */
  readonly lines?: LineCounts
}

/** The lines of a snapshot, how many of them were rejected, and the reason of one. */
export interface LineCounts extends Pick<SyncOutcome, 'read' | 'rejected'> {
  readonly example?: string
}

/** A snapshot that was read and is held for review. */
export interface HeldSnapshot {
  readonly anomalies: readonly Anomaly[]
  /** When the first of a series of equivalent held snapshots was read: it identifies what an approval is for. */
  readonly sinceMs: number
  /** When the last of the series was read. */
  readonly atMs: number
  readonly before: number
  readonly after: number
  /** Absent if it was held by a version without comparisons. */
  readonly comparison?: SnapshotComparison
}

/** The served snapshot and the held one. */
export interface SnapshotComparison {
  readonly served: SnapshotSummary
  readonly held: SnapshotSummary
  /** The next slots that only the served one has, at most `LOST_SLOTS_SHOWN`, in order of start. */
  readonly lost: readonly LostSlot[]
}

export interface SnapshotSummary {
  readonly slots: number
  /** Codes of the states and regions, those with the most slots first, at most `REGIONS_COMPARED_MAX`. */
  readonly states: readonly string[]
  /** Starts of the first and the last slot; absent without slots. */
  readonly firstStartMs?: number
  readonly lastStartMs?: number
}

export interface LostSlot {
  readonly startMs: number
  readonly location?: string
  readonly city?: string
  readonly state?: string
  readonly serviceType?: string
}

export const LOST_SLOTS_SHOWN = 5
export const REGIONS_COMPARED_MAX = 100

/** A snapshot to hold for review. */
export interface SnapshotToHold {
  readonly anomalies: readonly Anomaly[]
  readonly slotCount: number
  readonly comparison?: SnapshotComparison
  /** Not equivalent to the held snapshot: an approval of that one does not apply. */
  readonly differsFromHeld?: boolean
}

/** The longest time without a change that ended on a day (UTC, counted from 1970). */
export interface ChangeGap {
  readonly day: number
  readonly longestMs: number
}

/** How many days of gaps are stored. */
export const CHANGE_GAP_DAYS_MAX = 14

/** The inputs of a source's health. */
export interface SourceWatch {
  readonly reviewPolicy: ReviewPolicy
  /** The next snapshot is approved, if it is equivalent to the held one. */
  readonly nextApproved: boolean
  /** Present if the newest snapshot is held. */
  readonly held?: HeldSnapshot
  /** Anomalies of the served snapshot. */
  readonly anomalies: readonly Anomaly[]
  /** Anomalies that the operator approved, while they last. */
  readonly approved: readonly AnomalyKind[]
  /** Of the newest days with a gap, at most `CHANGE_GAP_DAYS_MAX`, in order. */
  readonly changeGaps: readonly ChangeGap[]
  /** When the last slot of the snapshot ends; absent without slots. */
  readonly lastEndMs?: number
  /** The last committed sync: its rejections still apply. */
  readonly lastRead?: SyncOutcome
  /** A sync is running until this time at the latest. */
  readonly readUntilMs?: number
  /** The health at the last evaluation, and since when. */
  readonly health: SourceHealth
  readonly healthSinceMs: number
}

/** A good sync's anomalies. */
export interface AnomalyAssessment {
  readonly anomalies: readonly Anomaly[]
  /** All anomalies that last, approved or not: approvals of any other kind end. */
  readonly ongoing: readonly AnomalyKind[]
  /** The operator approved all ongoing ones. */
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

/** How many events of a source are stored. */
export const HEALTH_EVENTS_MAX = 100

/** Changes of health; the events of a removed source are deleted with it. */
export interface HealthLog {
  /**
   * Stores a change and its event; durable when the promise resolves. Compare-and-set: false if the source is gone or its
   * health is no longer `from`, so that one of several nodes stores a change.
   */
  record(sourceId: number, change: Omit<HealthEvent, 'id' | 'slug'>): Promise<boolean>
  /** Oldest first, after an id: keyset pagination for readers that remember their position. */
  after(id: number, limit: number): Promise<HealthEvent[]>
  /** Newest first, at most `HEALTH_EVENTS_MAX`. */
  ofSource(sourceId: number): Promise<HealthEvent[]>
}
