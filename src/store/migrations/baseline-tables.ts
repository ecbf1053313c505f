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

/** The tables of better-auth, under its own column names. Each has an `id` besides. */
export const SIGN_IN_TABLES: Readonly<Record<string, TableDefinition['columns']>> = {
  users: {
    name: 'text',
    email: 'text!',
    emailVerified: 'boolean',
    image: 'text?',
    createdAt: 'date',
    updatedAt: 'date',
    twoFactorEnabled: 'boolean?',
  },
  sessions: {
    expiresAt: 'date',
    token: 'text!',
    createdAt: 'date',
    updatedAt: 'date',
    ipAddress: 'text?',
    userAgent: 'text?',
    userId: 'user',
  },
  credentials: {
    accountId: 'text',
    providerId: 'text',
    userId: 'user',
    accessToken: 'text?',
    refreshToken: 'text?',
    idToken: 'text?',
    accessTokenExpiresAt: 'date?',
    refreshTokenExpiresAt: 'date?',
    scope: 'text?',
    password: 'text?',
    createdAt: 'date',
    updatedAt: 'date',
  },
  verifications: {
    identifier: 'text',
    value: 'text',
    expiresAt: 'date',
    createdAt: 'date',
    updatedAt: 'date',
  },
  passkeys: {
    name: 'text?',
    publicKey: 'text',
    userId: 'user',
    credentialID: 'text',
    counter: 'integer',
    deviceType: 'text',
    backedUp: 'boolean',
    transports: 'text?',
    createdAt: 'date?',
    aaguid: 'text?',
  },
  two_factors: {
    secret: 'text',
    backupCodes: 'text',
    userId: 'user',
    verified: 'boolean?',
    failedVerificationCount: 'integer?',
    lockedUntil: 'date?',
  },
  rate_limits: { key: 'text!', count: 'integer', lastRequest: 'integer' },
}

const ACTOR = { actor_user_id: 'text?', actor_name: 'text', actor_address: 'text?' } as const
const COUNTED = { key_id: 'text', hour_ms: 'integer' } as const

/**
 * Our tables: `schema.ts` describes the columns.
 *
 * Without foreign keys are: `slots`, `syncs` and `offerings`, whose rows outlive their source until retention ends; `audit`,
 * `source_actions` and `open_alerts`, which outlive what they describe; and usage, whose writer looks up the key.
 */
export const TABLES: Readonly<Record<string, TableDefinition>> = {
  counters: { columns: { name: 'text#', value: 'integer' } },
  secrets: { columns: { name: 'text#', value: 'text' } },
  throttles: {
    columns: { name: 'text#', failures: 'integer', refused_until_ms: 'integer', forget_at_ms: 'integer' },
  },
  job_locks: { columns: { name: 'text#', owner: 'text', until_ms: 'integer' } },
  operators: { columns: { user_id: 'user#', added_at_ms: 'integer' } },
  organizations: {
    columns: {
      id: 'text#',
      name: 'text',
      name_folded: 'text!',
      created_at_ms: 'integer',
      deleted_at_ms: 'integer?',
    },
  },
  memberships: {
    columns: { organization_id: 'organization', user_id: 'user', role: 'text', joined_at_ms: 'integer' },
    key: ['organization_id', 'user_id'],
    check: ['memberships_role', `role in ('owner', 'admin', 'member')`],
  },
  invitations: {
    columns: {
      id: 'text#',
      organization_id: 'organization',
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
      revision: 'integer',
    },
  },
  audit: {
    columns: {
      id: 'integer#',
      at_ms: 'integer',
      organization_id: 'text',
      kind: 'text',
      ...ACTOR,
      actor_folded: 'text',
      subject: 'text?',
      detail: 'text',
    },
  },
  usage_hours: {
    columns: { ...COUNTED, status: 'integer', requests: 'integer' },
    key: ['key_id', 'hour_ms', 'status'],
  },
  usage_latencies: {
    columns: { ...COUNTED, bucket: 'integer', requests: 'integer' },
    key: ['key_id', 'hour_ms', 'bucket'],
  },
  recent_requests: {
    columns: {
      id: 'integer#',
      key_id: 'text',
      at_ms: 'integer',
      method: 'text',
      target: 'text',
      status: 'integer',
      duration_us: 'integer',
      request_id: 'text',
    },
  },
  sources: {
    columns: {
      id: 'integer#',
      slug: 'text!',
      name: 'text?',
      format: 'text',
      url: 'text',
      options: 'text',
      strict: 'integer',
      every_ms: 'integer?',
      paused: 'integer',
      created_at_ms: 'integer',
      next_sync_at_ms: 'integer',
      slow: 'integer',
      failures: 'integer',
      last_sync: 'text?',
      last_read: 'text?',
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
      sync_id: 'integer',
      connector_state: 'text?',
    },
  },
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
  sync_history: {
    columns: { sync_id: 'integer#', source_id: 'source', outcome: 'text', slot_count: 'integer' },
  },
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
  source_actions: {
    columns: { id: 'integer#', at_ms: 'integer', slug: 'text', kind: 'text', ...ACTOR, detail: 'text' },
  },
  open_alerts: { columns: { source_id: 'integer#', slug: 'text', health: 'text' } },
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
  open_slot_history: {
    columns: { source_id: 'source', span: 'text', from_ms: 'integer', counts: 'text' },
    key: ['source_id', 'span', 'from_ms'],
  },
  syncs: {
    columns: {
      id: 'integer#',
      source_id: 'integer',
      revision: 'integer?',
      committed_at_ms: 'integer?',
      removal: 'integer',
      deleted_rows: 'integer',
    },
  },
  offerings: {
    columns: { id: 'integer#', source_id: 'integer', hash: 'text', json: 'text' },
    unique: ['offerings_by_content', ['source_id', 'hash']],
  },
  slots: {
    columns: {
      key: 'integer#',
      id: 'text',
      source_id: 'integer',
      offering_id: 'integer',
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
      replaces: 'integer?',
    },
  },
}
