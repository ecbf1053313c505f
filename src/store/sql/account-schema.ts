/** The tables of people, organizations, keys and usage, as Kysely sees them: see `schema.ts`. */
export interface AccountSchema {
  readonly api_keys: ApiKeyRow
  readonly audit: AuditRow
  readonly invitations: InvitationRow
  readonly memberships: MembershipRow
  readonly operators: OperatorRow
  readonly organizations: OrganizationRow
  readonly recent_requests: RecentRequestRow
  readonly secrets: SecretRow
  readonly throttles: ThrottleRow
  readonly usage_hours: UsageHourRow
  readonly usage_latencies: UsageLatencyRow
  readonly users: UserRow
}

export interface OrganizationRow {
  id: string
  name: string
  /** The name in a form that ignores case: unique. */
  name_folded: string
  created_at_ms: number
  /** Set once it is deleted: the row is then invisible and only reserves the id. */
  deleted_at_ms: number | null
}

/** Keys are never deleted. */
export interface ApiKeyRow {
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
  /** The value of the counter `keys` after this row's last change. */
  revision: number
}

/** A person: the columns of better-auth's table that the store reads. */
interface UserRow {
  id: string
  name: string
  email: string
  emailVerified: number | boolean
  /** In the database's own date type. */
  createdAt: string | Date
}

/** A unique index allows one owner per organization. */
interface MembershipRow {
  organization_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member'
  joined_at_ms: number
}

export interface InvitationRow {
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

/** Append-only: triggers reject updates and deletes. */
export interface AuditRow {
  id: number
  at_ms: number
  organization_id: string
  kind: string
  actor_user_id: string | null
  actor_name: string
  /** The name in lower case, for searches. */
  actor_folded: string
  actor_address: string | null
  subject: string | null
  /** JSON. */
  detail: string
}

/** Requests of a key in an hour, by status. */
interface UsageHourRow {
  key_id: string
  hour_ms: number
  status: number
  requests: number
}

/** Requests of a key in an hour, by bucket of `LATENCY_BOUNDS_US`. */
interface UsageLatencyRow {
  key_id: string
  hour_ms: number
  bucket: number
  requests: number
}

/** The newest requests of each key. */
interface RecentRequestRow {
  id: number
  key_id: string
  at_ms: number
  method: string
  target: string
  status: number
  duration_us: number
  request_id: string
}

interface OperatorRow {
  user_id: string
  added_at_ms: number
}

interface SecretRow {
  name: string
  value: string
}

/** Failed attempts by name (an account, an address). */
interface ThrottleRow {
  name: string
  failures: number
  refused_until_ms: number
  /** The row has no meaning from this time on. */
  forget_at_ms: number
}
