import type { AuditKind } from '../../shared/audit-kinds.ts'
/** Who performs a change. */
export interface AuditActor {
  /** Absent on the command line. */
  readonly userId?: string
  /** As the log shows it forever: an email address, or `command line`. */
  readonly name: string
  /** The network address of the request. */
  readonly address?: string
}

/** An entry of an organization's log. Append-only: the database rejects changes and deletions. */
export interface AuditEntry {
  /** Grows with time. */
  readonly id: number
  readonly atMs: number
  readonly organizationId: string
  readonly kind: AuditKind
  readonly actor: AuditActor
  /** The id of the key, member or invitation that changed. */
  readonly subject?: string
  /** Names, roles and reasons. Never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditFilter {
  readonly organizationId: string
  readonly kind?: AuditKind
  /** A part of the actor's name; case is ignored. */
  readonly actor?: string
  readonly subject?: string
  readonly fromMs?: number
  /** Exclusive. */
  readonly toMs?: number
  /** Keyset pagination: only entries before this id. */
  readonly beforeId?: number
  readonly limit: number
}

/** The audit log. Each change writes its entry in its own transaction: neither exists without the other. */
export interface AuditLog {
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
  /** Records a sign-in in each organization of the person. */
  recordSignIn(
    kind: Extract<AuditKind, `sign-in.${string}`>,
    userId: string,
    entry: { by: AuditActor; detail: AuditEntry['detail'] },
  ): Promise<void>
}
