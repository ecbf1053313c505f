import type { SourceFormat } from '../../feeds/connector.ts'
import type { SourceHealth } from '../../slot/source-freshness.ts'
import type { AlertedHealth } from '../contracts/alert-store.ts'
import type { SourceActionKind } from '../contracts/source-log.ts'
import type { HistorySpan, ReviewPolicy } from '../contracts/source-watch.ts'
import type { AccountSchema } from './account-schema.ts'

/** The tables, as Kysely sees them; `migrations/` makes them. Times are milliseconds since 1970, truths are 0 or 1. */
export interface Schema extends AccountSchema {
  readonly counters: CountersTable
  readonly organizations: OrganizationsTable
  readonly api_keys: ApiKeysTable
  readonly sources: SourcesTable
  readonly rejections: RejectionsTable
  readonly syncs: SyncsTable
  readonly offerings: OfferingsTable
  readonly slots: SlotsTable
  readonly source_events: SourceEventsTable
  readonly source_actions: SourceActionsTable
  readonly chores: ChoresTable
  readonly alerts: AlertsTable
  readonly alert_messages: AlertMessagesTable
  readonly open_slots: OpenSlotsTable
  readonly migrations: MigrationsTable
}

/** Revisions, the next ids, and how far retention has come: see `counters.ts`. */
export interface CountersTable {
  name: string
  value: number
}

/** One row an organization. */
export interface OrganizationsTable {
  id: string
  name: string
  /** The name without regard to case: unique. */
  name_folded: string
  created_at_ms: number
  /** Set once it is deleted: it is then invisible, and its row only keeps its id from being used again. */
  deleted_at_ms: number | null
}

/** One row a key, the revoked too. */
export interface ApiKeysTable {
  id: string
  organization_id: string
  name: string
  hash: string
  last_four: string
  created_at_ms: number
  created_by: string | null
  replaced_by: string | null
  expires_at_ms: number | null
  revoked_at_ms: number | null
  revoked_reason: string | null
  last_used_at_ms: number | null
  /** The value of the counter `keys` that this row's last change brought. */
  revision: number
}

/** One row a source, with its lease and the outcome of its last sync. */
export interface SourcesTable {
  id: number
  slug: string
  url: string
  strict: number
  every_ms: number | null
  created_at_ms: number
  /** JSON. */
  memory: string | null
  next_sync_at_ms: number
  failures: number
  /** JSON of `SyncOutcome`. */
  last_sync: string | null
  slot_count: number
  changed_at_ms: number | null
  lease_owner: string | null
  lease_until_ms: number
  /** The sync begun last. One that finds another number here has lost its lease. */
  sync_id: number
  paused: number
  name: string | null
  format: SourceFormat
  /** JSON of `SourceOptions`. */
  options: string
  looked_at_ms: number | null
  published_at_ms: number | null
  hold: ReviewPolicy
  accept_next: number
  /** JSON of `HeldSnapshot`. */
  held: string | null
  /** JSON: see `SourceWatch`. */
  findings: string
  accepted: string
  pauses: string
  last_end_ms: number | null
  /** JSON of `SyncOutcome`. */
  last_read: string | null
  /** Its last sync took long: see `SyncTurns`. */
  slow: number
  health: SourceHealth
  health_since_ms: number
}

/** The rejections of the last good sync of each source. */
export interface RejectionsTable {
  source_id: number
  position: number
  file: string
  line: number
  reason: string
  sample: string
}

/**
 * The syncs that are open, and the committed ones that retention still reaches.
 *
 * An open sync has no revision. A sync that is not in this table was committed long ago: ids are never used twice,
 * and the row of an interrupted sync goes only after all it wrote.
 */
export interface SyncsTable {
  id: number
  source_id: number
  revision: number | null
  committed_at_ms: number | null
  /** 1: all rows of the source died of this sync, though they do not say so, and the source is gone. */
  removal: number
  /** How many rows died of it; 0 while it is open. */
  died: number
}

/** Content-addressed by (source_id, hash), never updated. */
export interface OfferingsTable {
  id: number
  source_id: number
  hash: string
  json: string
}

/**
 * One row for each state that a slot has had.
 *
 * It lives if and only if its `born_sync` is committed, its `died_sync` is null or open, and its source was not removed.
 * `part` and `fingerprint` are where it was read; once `moved_sync` is committed, the `next_` pair is.
 */
export interface SlotsTable {
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
  born_sync: number
  died_sync: number | null
  next_part: number | null
  next_fingerprint: number | null
  moved_sync: number | null
  /** The key of the row that died of `born_sync` under the same id: the slot was changed. Null if it was added. */
  replaces: number | null
}

/** The newest changes of each source's health. */
export interface SourceEventsTable {
  id: number
  source_id: number
  at_ms: number
  was: SourceHealth
  became: SourceHealth
  why: string
}

/** What operators did to sources, those that are gone too. */
export interface SourceActionsTable {
  id: number
  at_ms: number
  slug: string
  kind: SourceActionKind
  actor_user_id: string | null
  actor_name: string
  actor_address: string | null
  /** JSON: what `SourceAction` says beside the columns. */
  detail: string
}

/** Who does what only one node is to do, and until when it is theirs. */
export interface ChoresTable {
  name: string
  owner: string
  until_ms: number
}

/** The sources of which trouble was told, and no all-clear yet. Refers to no source: that one is gone is told as well. */
export interface AlertsTable {
  source_id: number
  slug: string
  health: AlertedHealth
}

/** What was told, once for each way. */
export interface AlertMessagesTable {
  id: number
  key: string
  channel: string
  /** JSON of `AlertChange[]`. */
  changes: string
  created_at_ms: number
  attempts: number
  /** Nobody is to begin another try before. */
  next_attempt_at_ms: number
  ended_at_ms: number | null
  outcome: 'sent' | 'given-up' | null
}

/** Open slots over time: a row for each day of hours, and for each thirty-two days of days. */
export interface OpenSlotsTable {
  source_id: number
  span: HistorySpan
  /** The time of its first point. */
  from_ms: number
  /** JSON: by state, the points from the first on, null where nobody counted. */
  counts: string
}

/** The steps that were taken: see `migrations/`. */
export interface MigrationsTable {
  name: string
  applied_at_ms: number
}
