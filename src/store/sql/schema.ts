import type { ReviewPolicy, SourceActionKind, SourceFormat } from '../../shared/source-vocabulary.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import type { AlertedHealth } from '../contracts/alerts.ts'
import type { HistorySpan } from '../contracts/open-slot-history.ts'
import type { AccountSchema } from './account-schema.ts'

/** The tables, as Kysely sees them; `migrations/` creates them. Times are milliseconds since 1970, truth values are 0 or 1. */
export interface Schema extends AccountSchema {
  readonly alert_messages: AlertMessageRow
  readonly counters: CounterRow
  readonly health_events: HealthEventRow
  readonly job_locks: JobLockRow
  readonly migrations: MigrationRow
  readonly offerings: OfferingRow
  readonly open_alerts: OpenAlertRow
  readonly open_slot_history: OpenSlotHistoryRow
  readonly rejections: RejectionRow
  readonly slots: SlotRow
  readonly source_actions: SourceActionRow
  readonly sources: SourceRow
  readonly sync_history: SyncHistoryRow
  readonly syncs: SyncRow
}

/** Revisions, the ids given last, and how far retention has come: see `counters.ts`. */
interface CounterRow {
  name: string
  value: number
}

/** A source, its lease and the outcome of its last sync. */
export interface SourceRow {
  id: number
  slug: string
  name: string | null
  format: SourceFormat
  url: string
  /** JSON of `SourceOptions`. */
  options: string
  strict: number
  every_ms: number | null
  paused: number
  created_at_ms: number
  next_sync_at_ms: number
  /** The last sync took longer than `SLOW_MS`. */
  slow: number
  failures: number
  /** JSON of `SyncOutcome`. */
  last_sync: string | null
  /** JSON of `SyncOutcome`: the last sync that was committed. */
  last_read: string | null
  last_end_ms: number | null
  last_checked_at_ms: number | null
  published_at_ms: number | null
  changed_at_ms: number | null
  /** JSON of `ChangeGap[]`. */
  change_gaps: string
  slot_count: number
  review_policy: ReviewPolicy
  next_approved: number
  /** JSON of `HeldSnapshot`. */
  held_snapshot: string | null
  /** JSON of `Anomaly[]`. */
  anomalies: string
  /** JSON of `AnomalyKind[]`. */
  approved: string
  health: SourceHealth
  health_since_ms: number
  lease_owner: string | null
  lease_until_ms: number
  /** The fencing token of the lease: the sync begun last. A sync that finds another number here has lost its lease. */
  sync_id: number
  /** JSON. */
  connector_state: string | null
}

/** The rejections of the last good sync of each source. */
interface RejectionRow {
  source_id: number
  position: number
  file: string
  line: number
  reason: string
  sample: string
}

/**
 * Open syncs, and the committed syncs within retention.
 *
 * An open sync has no revision. A sync missing here was committed long ago: ids are never reused, and the row of an
 * interrupted sync is deleted after everything it wrote.
 */
export interface SyncRow {
  id: number
  source_id: number
  revision: number | null
  committed_at_ms: number | null
  /** 1: the source was removed, and with it all of its rows, whose `deleted_sync` stays as it was. */
  removal: number
  /** Number of row versions that it deleted; 0 while it is open. */
  deleted_rows: number
}

/** Content-addressed by (source_id, hash), never updated. */
interface OfferingRow {
  id: number
  source_id: number
  hash: string
  json: string
}

/**
 * One row per version of a slot (multiversion concurrency control).
 *
 * A version is visible if its `inserted_sync` is committed, its `deleted_sync` is null or open, and its source was not
 * removed. `part` and `fingerprint` identify where it was read; once `moved_sync` is committed, the `next_` pair does.
 */
export interface SlotRow {
  key: number
  id: string
  source_id: number
  offering_id: number
  /** The index in `SLOT_STATUSES`. */
  status: number
  start_ms: number
  end_ms: number
  json: string
  part: number
  fingerprint: number
  inserted_sync: number
  deleted_sync: number | null
  next_part: number | null
  next_fingerprint: number | null
  moved_sync: number | null
  /** The key of the version that `inserted_sync` deleted under the same id: the slot changed. Null if it was added. */
  replaces: number | null
}

/** The newest changes of each source's health. */
export interface HealthEventRow {
  id: number
  source_id: number
  at_ms: number
  previous_health: SourceHealth
  health: SourceHealth
  reason: string
}

/** What operators did to sources, removed sources included. */
export interface SourceActionRow {
  id: number
  at_ms: number
  slug: string
  kind: SourceActionKind
  actor_user_id: string | null
  actor_name: string
  actor_address: string | null
  /** JSON: the other fields of `SourceAction`. */
  detail: string
}

/** Locks on jobs that only one node runs. */
interface JobLockRow {
  name: string
  owner: string
  until_ms: number
}

/** Sources with an alert that was not resolved yet. No foreign key: the removal of a source is reported as well. */
interface OpenAlertRow {
  source_id: number
  slug: string
  health: AlertedHealth
}

/** The transactional outbox of alerts: one row per message and channel. */
export interface AlertMessageRow {
  id: number
  key: string
  channel: string
  /** JSON of `AlertChange[]`. */
  changes: string
  created_at_ms: number
  attempts: number
  next_attempt_at_ms: number
  ended_at_ms: number | null
  outcome: 'sent' | 'given-up' | null
}

/** Open slots over time: one row per day of hourly counts, and per 32 days of daily counts. */
export interface OpenSlotHistoryRow {
  source_id: number
  span: HistorySpan
  /** The time of its first point. */
  from_ms: number
  /** JSON: points by state, null where no count was taken. */
  counts: string
}

interface MigrationRow {
  name: string
  applied_at_ms: number
}

/** The newest syncs of each source. */
interface SyncHistoryRow {
  sync_id: number
  source_id: number
  /** JSON of `SyncOutcome`. */
  outcome: string
  slot_count: number
}
