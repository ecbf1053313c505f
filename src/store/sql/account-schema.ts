/** The tables of people, of what they did and of what was counted, as Kysely sees them: see `schema.ts`. */
export interface AccountSchema {
  readonly users: UsersTable
  readonly memberships: MembershipsTable
  readonly invitations: InvitationsTable
  readonly audit: AuditTable
  readonly usage_hours: UsageHoursTable
  readonly usage_latencies: UsageLatenciesTable
  readonly recent_requests: RecentRequestsTable
  readonly sync_history: SyncHistoryTable
  readonly operators: OperatorsTable
  readonly secrets: SecretsTable
  readonly throttles: ThrottlesTable
}

/** One row a person. The sign-in library's table, under its own names: only what we read of it. */
export interface UsersTable {
  id: string
  name: string
  email: string
  emailVerified: number | boolean
  /** In the database's own form of a date. */
  createdAt: string | Date
}

/** One row for each person in each organization; one owner an organization, by a unique index. */
export interface MembershipsTable {
  organization_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member'
  joined_at_ms: number
}

/** One row an invitation, the used, revoked and expired too. */
export interface InvitationsTable {
  id: string
  organization_id: string
  /** SHA-256 of the token: unique. */
  token_hash: string
  email: string | null
  role: 'admin' | 'member'
  created_by: string
  created_at_ms: number
  expires_at_ms: number
  accepted_at_ms: number | null
  accepted_by: string | null
  revoked_at_ms: number | null
}

/** Append only: triggers refuse the rest. No foreign keys, so that it outlives what it tells of. */
export interface AuditTable {
  id: number
  at_ms: number
  organization_id: string
  kind: string
  actor_user_id: string | null
  actor_name: string
  /** The name in lower case: what is searched. */
  actor_folded: string
  actor_address: string | null
  subject: string | null
  /** JSON. */
  detail: string
}

/** How many requests a key made in an hour, by status. */
export interface UsageHoursTable {
  key_id: string
  hour_ms: number
  status: number
  requests: number
}

/** How many requests of a key in an hour fell into a bucket of `LATENCY_BOUNDS_US`. */
export interface UsageLatenciesTable {
  key_id: string
  hour_ms: number
  bucket: number
  requests: number
}

/** The newest requests of each key. */
export interface RecentRequestsTable {
  id: number
  key_id: string
  at_ms: number
  method: string
  target: string
  status: number
  duration_us: number
  request_id: string
}

/** The newest syncs of each source. */
export interface SyncHistoryTable {
  sync_id: number
  source_id: number
  /** JSON of `SyncOutcome`. */
  outcome: string
  slot_count: number
}

/** Who runs the service. */
export interface OperatorsTable {
  user_id: string
  added_at_ms: number
}

/** What the service must remember, by name. */
export interface SecretsTable {
  name: string
  value: string
}

/** One row for each name that failed of late. */
export interface ThrottlesTable {
  name: string
  failures: number
  refused_until_ms: number
  /** From then on the row means nothing. */
  forget_at_ms: number
}
