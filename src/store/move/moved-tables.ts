import type { Schema } from '../sql/schema.ts'

/** The tables that are the sign-in library's alone: see `migrations/baseline-tables.ts`. */
type SignInTable = 'sessions' | 'credentials' | 'verifications' | 'passkeys' | 'two_factors' | 'rate_limits'

/** Every table that a move carries over, by name. */
export type MovedTable = Exclude<keyof Schema, keyof typeof NOT_COPIED> | SignInTable

/** Tables that are not copied row by row, and why. */
export const NOT_COPIED = {
  migrations: 'both stores must have taken the same steps',
  counters: 'set at the end, all but the number by which a store is told from all others',
  write_lock: 'the lock of writers on PostgreSQL, which holds no data',
} as const

/** The columns of each table's key, in the order in which tables are copied: what is referred to comes first. */
export const MOVED_TABLES: Readonly<Record<MovedTable, readonly string[]>> = {
  secrets: ['name'],
  throttles: ['name'],
  rate_limits: ['id'],
  verifications: ['id'],
  users: ['id'],
  sessions: ['id'],
  credentials: ['id'],
  passkeys: ['id'],
  two_factors: ['id'],
  operators: ['user_id'],
  organizations: ['id'],
  memberships: ['organization_id', 'user_id'],
  invitations: ['id'],
  api_keys: ['id'],
  audit: ['id'],
  usage_hours: ['key_id', 'hour_ms', 'status'],
  usage_latencies: ['key_id', 'hour_ms', 'bucket'],
  recent_requests: ['id'],
  sources: ['id'],
  rejections: ['source_id', 'position'],
  sync_history: ['sync_id'],
  health_events: ['id'],
  source_actions: ['id'],
  job_locks: ['name'],
  open_alerts: ['source_id'],
  alert_messages: ['id'],
  open_slot_history: ['source_id', 'span', 'from_ms'],
  syncs: ['id'],
  offerings: ['id'],
  slots: ['key'],
}

/** A table that refuses changes: what was copied of it stays. */
export const APPEND_ONLY: MovedTable = 'audit'

/** The names, in the order of `MOVED_TABLES`. */
export const MOVED_NAMES = Object.keys(MOVED_TABLES) as MovedTable[]
