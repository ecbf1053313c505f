import { REQUEST_LOG_TABLES } from './request-log-tables.ts'
import { RESOURCE_TABLES } from './resource-tables.ts'

/**
 * A column: its type or the table it references (deleted with the row it references, except for organizations), and a mark:
 * `?` nullable, `!` unique, `#` primary key.
 */
export type ColumnType =
  `${'text' | 'integer' | 'boolean' | 'date' | 'user' | 'source' | 'organization'}${'' | '?' | '!' | '#'}`

/** A table as the baseline creates it. */
export interface TableDefinition {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** A primary key of several columns. */
  readonly key?: readonly string[]
  readonly unique?: readonly [name: string, columns: readonly string[]]
  readonly check?: readonly [name: string, condition: string]
}

/**
 * The rank of a row in a list of the dashboard, as SQL, which an index by organization contains: when a key or an invitation ends,
 * and the role of a member.
 */
export const LIST_RANKS = {
  api_keys: `coalesce(revoked_at_ms, expires_at_ms, ${Number.MAX_SAFE_INTEGER})`,
  invitations: 'coalesce(accepted_at_ms, revoked_at_ms, expires_at_ms)',
  memberships: `cast(case role when 'owner' then 0 when 'admin' then 1 else 2 end as bigint)`,
} as const

const ACTOR = { actor_user_id: 'text?', actor_name: 'text', actor_address: 'text?', actor_request: 'text?' } as const
const COUNTED = { key_id: 'text', hour_ms: 'integer' } as const

/**
 * Our tables. `schema.ts` derives the types of their rows. Times are milliseconds since 1970, truth values are 0 or 1.
 *
 * Without foreign keys are: `slots`, `syncs`, `offerings` and `resources`, whose rows outlive their source until retention ends; `audit`,
 * `source_actions` and `open_alerts`, which outlive what they describe; and usage, whose writer looks up the key.
 */
export const TABLES = {
  // Revisions, the ids given last, and how far retention has come: see `counters.ts`.
  counters: { columns: { name: 'text#', value: 'integer' } },
  secrets: { columns: { name: 'text#', value: 'text', expires_at_ms: 'integer?' } },
  // Failed attempts by name (an account, an address); a row has no meaning from `forget_at_ms` on.
  throttles: {
    columns: { name: 'text#', failures: 'integer', refused_until_ms: 'integer', forget_at_ms: 'integer' },
  },
  // Locks on jobs that only one node runs.
  job_locks: { columns: { name: 'text#', owner: 'text', until_ms: 'integer' } },
  operators: { columns: { user_id: 'user#', role: 'text', added_at_ms: 'integer' } },
  organizations: {
    columns: {
      id: 'text#',
      name: 'text',
      // The name in a form that ignores case.
      name_folded: 'text!',
      created_at_ms: 'integer',
      // 1 if members need a second factor.
      second_factor: 'integer?',
      // Once set, the row is invisible and only reserves the id.
      deleted_at_ms: 'integer?',
    },
  },
  // A unique index allows one owner per organization.
  memberships: {
    columns: { organization_id: 'organization', user_id: 'user', role: 'text', joined_at_ms: 'integer' },
    key: ['organization_id', 'user_id'],
    check: ['memberships_role', `role in ('owner', 'admin', 'member')`],
  },
  invitations: {
    columns: {
      id: 'text#',
      organization_id: 'organization',
      // SHA-256 of the token.
      token_hash: 'text!',
      email: 'text?',
      role: 'text',
      created_by: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
      accepted_at_ms: 'integer?',
      accepted_by: 'text?',
      revoked_at_ms: 'integer?',
    },
    check: ['invitations_role', `role in ('admin', 'member')`],
  },
  // Keys are deleted long after their end.
  api_keys: {
    columns: {
      id: 'text#',
      organization_id: 'organization',
      name: 'text',
      hash: 'text!',
      last_four: 'text',
      created_at_ms: 'integer',
      created_by: 'text?',
      replaced_by: 'text?',
      expires_at_ms: 'integer?',
      revoked_at_ms: 'integer?',
      revoked_reason: 'text?',
      last_used_at_ms: 'integer?',
      // The value of the counter `keys` after the row's last change.
      revision: 'integer',
    },
  },
  // Append-only: triggers reject updates, and deletes after the anchor of the chain. No organization: the service's log.
  audit: {
    columns: {
      id: 'integer#',
      at_ms: 'integer',
      organization_id: 'text?',
      kind: 'text',
      ...ACTOR,
      // The name in lower case, for searches.
      actor_folded: 'text',
      subject: 'text?',
      // JSON.
      detail: 'text',
      // SHA-256 of the entry before it.
      previous_hash: 'text',
    },
  },
  // The ends of the hash chain of `audit`: the newest entry (`head`), and the newest that retention deleted (`anchor`).
  audit_chain: { columns: { name: 'text#', entry_id: 'integer', hash: 'text' } },
  // Requests of a key in an hour, by status.
  usage_hours: {
    columns: { ...COUNTED, status: 'integer', requests: 'integer' },
    key: ['key_id', 'hour_ms', 'status'],
  },
  // Requests of a key in an hour, by bucket of `LATENCY_BOUNDS_US`.
  usage_latencies: {
    columns: { ...COUNTED, bucket: 'integer', requests: 'integer' },
    key: ['key_id', 'hour_ms', 'bucket'],
  },
  ...REQUEST_LOG_TABLES,
  // A source, its lease and the outcome of its last sync. `options`, `last_sync`, `last_read`, `change_gaps`, `held_snapshot`,
  // `anomalies`, `approved`, `messages` and `connector_state` are JSON.
  sources: {
    columns: {
      id: 'integer#',
      slug: 'text!',
      name: 'text?',
      format: 'text',
      url: 'text',
      // Name, slug and URL, folded: what a search finds, and the order by name.
      search_text: 'text',
      options: 'text',
      strict: 'integer',
      every_ms: 'integer?',
      slots_max: 'integer?',
      paused: 'integer',
      created_at_ms: 'integer',
      next_sync_at_ms: 'integer',
      // The last sync took longer than `SLOW_MS`.
      slow: 'integer',
      failures: 'integer',
      last_sync: 'text?',
      // The outcome of the last sync that was committed.
      last_read: 'text?',
      // More than 1% of its lines were rejected.
      rejecting: 'integer',
      last_end_ms: 'integer?',
      last_checked_at_ms: 'integer?',
      published_at_ms: 'integer?',
      changed_at_ms: 'integer?',
      change_gaps: 'text',
      slot_count: 'integer',
      review_policy: 'text',
      next_approved: 'integer',
      held_snapshot: 'text?',
      anomalies: 'text',
      approved: 'text',
      health: 'text',
      health_since_ms: 'integer',
      lease_owner: 'text?',
      lease_until_ms: 'integer',
      // The fencing token of the lease: the sync begun last. A sync that finds another number here has lost its lease.
      sync_id: 'integer',
      messages: 'text',
      connector_state: 'text?',
      // The set of `resources` that its snapshot was made of; null if they are not kept.
      resource_set: 'integer?',
    },
  },
  // The rejections of the last good sync of each source.
  rejections: {
    columns: {
      source_id: 'source',
      position: 'integer',
      file: 'text',
      line: 'integer',
      reason: 'text',
      sample: 'text',
    },
    key: ['source_id', 'position'],
  },
  // The newest syncs of each source; `outcome` is JSON of `SyncOutcome`.
  sync_history: {
    columns: { sync_id: 'integer#', source_id: 'source', outcome: 'text', slot_count: 'integer' },
  },
  // The newest changes of each source's health.
  health_events: {
    columns: {
      id: 'integer#',
      source_id: 'source',
      at_ms: 'integer',
      previous_health: 'text',
      health: 'text',
      reason: 'text',
    },
  },
  // The actions of operators on sources, removed sources included; `detail` is JSON of the other fields of `SourceAction`.
  source_actions: {
    columns: { id: 'integer#', at_ms: 'integer', slug: 'text', kind: 'text', ...ACTOR, detail: 'text' },
  },
  // Sources with an alert that was not resolved yet.
  open_alerts: { columns: { source_id: 'integer#', slug: 'text', health: 'text' } },
  // The transactional outbox of alerts: one row per message and channel; `changes` is JSON of `AlertChange[]`.
  alert_messages: {
    columns: {
      id: 'integer#',
      key: 'text',
      channel: 'text',
      changes: 'text',
      created_at_ms: 'integer',
      attempts: 'integer',
      next_attempt_at_ms: 'integer',
      ended_at_ms: 'integer?',
      outcome: 'text?',
    },
  },
  // Redirects to the booking pages of a source on a day (UTC).
  referrals: {
    columns: { source_id: 'source', day_ms: 'integer', referrals: 'integer' },
    key: ['source_id', 'day_ms'],
  },
  // One row per day of hourly counts, and per 32 days of daily counts; `counts` is JSON of the points by state.
  open_slot_history: {
    columns: { source_id: 'source', span: 'text', from_ms: 'integer', counts: 'text' },
    key: ['source_id', 'span', 'from_ms'],
  },
  // Open syncs, which have no revision, and the committed syncs within retention. A sync missing here was committed long ago:
  // ids are never reused, and the row of an interrupted sync is deleted after everything it wrote.
  syncs: {
    columns: {
      id: 'integer#',
      source_id: 'integer',
      revision: 'integer?',
      committed_at_ms: 'integer?',
      // 1: the source was removed, and with it all of its rows, whose `deleted_sync` stays as it was.
      removal: 'integer',
      // Number of row versions that it deleted; 0 while it is open.
      deleted_rows: 'integer',
    },
  },
  ...RESOURCE_TABLES,
  // Content-addressed by (source_id, hash), never updated.
  offerings: {
    columns: { id: 'integer#', source_id: 'integer', hash: 'text', json: 'text' },
    unique: ['offerings_by_content', ['source_id', 'hash']],
  },
  // One row per version of a slot (multiversion concurrency control). A version is visible if its `inserted_sync` is committed,
  // its `deleted_sync` is null or open, and its source was not removed. `part` and `fingerprint` identify where it was read;
  // once `moved_sync` is committed, the `next_` pair does.
  slots: {
    columns: {
      key: 'integer#',
      id: 'text',
      source_id: 'integer',
      offering_id: 'integer',
      // The index in `SLOT_STATUSES`.
      status: 'integer',
      start_ms: 'integer',
      end_ms: 'integer',
      json: 'text',
      part: 'integer',
      fingerprint: 'integer',
      inserted_sync: 'integer',
      deleted_sync: 'integer?',
      next_part: 'integer?',
      next_fingerprint: 'integer?',
      moved_sync: 'integer?',
      // The key of the version that `inserted_sync` deleted under the same id: the slot changed. Null if it was added.
      replaces: 'integer?',
    },
  },
} as const satisfies Readonly<Record<string, TableDefinition>>
