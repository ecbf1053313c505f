import type { AuditKind, ServiceAuditKind } from '../../shared/audit-kinds.ts'

/** Where a request comes from. */
export interface AuditOrigin {
  /** The network address of the request. */
  readonly address?: string
  /** The ID of the request, as in the log and in the response. */
  readonly requestId?: string
}

/** Who performs a change. */
export interface AuditActor extends AuditOrigin {
  /** Absent if the actor is no person. */
  readonly userId?: string
  /** As the log shows it forever: an email address, `key <name> (…<last four>)`, or one of those that docs/guide/audit.md lists. */
  readonly name: string
}

/** The actor on the command line, which does not know people by name. */
export const COMMAND_LINE: AuditActor = { name: 'command line' }

/** An entry of an audit log. Append-only: the database rejects changes and deletions, except by retention. */
export interface AuditEntry {
  /** Grows with time, by one from entry to entry of the store. */
  readonly id: number
  readonly atMs: number
  /** Absent in the service's log. */
  readonly organizationId?: string
  readonly kind: AuditKind
  readonly actor: AuditActor
  /** The ID of the key, subscription, member, account, organization or invitation that changed. */
  readonly subject?: string
  /** Names, roles and reasons. Never a secret. */
  readonly detail: AuditDetail
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>

/** An entry with its place in the hash chain. */
export interface ChainedAuditEntry extends AuditEntry {
  /** SHA-256 of the entry before it; 64 zeros before the first. */
  readonly previousHash: string
  /** SHA-256 of this entry, which includes `previousHash`. */
  readonly hash: string
}

export interface AuditFilter {
  /** `null`: the service's log. */
  readonly organizationId: string | null
  readonly kind?: AuditKind | undefined
  /** False: without sign-ins and attempts. */
  readonly signIns?: boolean | undefined
  /** A part of the actor's name; case is ignored. */
  readonly actor?: string | undefined
  readonly subject?: string | undefined
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
  /** Keyset pagination: only entries before this id. */
  readonly beforeId?: number | undefined
  readonly limit: number
}

/**
 * Events of an account, of an organization as a whole, or of the service. They are recorded in the service's log and in the
 * logs of the organizations concerned: those of the person, or the one that is named.
 */
export interface ServiceEvent {
  readonly kind: ServiceAuditKind
  readonly by: AuditActor
  /** The person concerned. The entries get the person's email address, unless the actor has it. */
  readonly userId?: string
  /** The organization concerned. */
  readonly organizationId?: string
  /** By default the person or the organization concerned. */
  readonly subject?: string
  readonly detail?: AuditDetail
}

/** The outcome of `AuditLog.verify()`. */
export type AuditVerification =
  | { readonly intact: true; readonly entries: number; readonly head: AuditLink; readonly anchor: AuditLink }
  /** The first entry that was changed, removed or inserted, and what is wrong. */
  | { readonly intact: false; readonly id: number; readonly reason: string }

/** An entry's place in the chain. Before the first entry: 0 and 64 zeros. */
export interface AuditLink {
  readonly id: number
  readonly hash: string
}

/**
 * The audit logs. Each change of the store writes its entry in its own transaction: neither exists without the other.
 *
 * All entries of a store form one hash chain: each contains the SHA-256 of the one before it.
 */
export interface AuditLog {
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditEntry[]>
  /** Records what the store itself does not change, such as a new password; see `ServiceEvent`. */
  record(event: ServiceEvent): Promise<void>
  /** All entries after an id, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<ChainedAuditEntry[]>
  /** The ID of the last entry that was streamed; 0 before the first. */
  streamed(): Promise<number>
  /** Remembers that the entries up to an ID were streamed. The ID only grows. */
  putStreamed(id: number): Promise<void>
  /** Recomputes the chain, from the oldest entry to the newest. `onProgress` gets the number of entries so far. */
  verify(onProgress?: (entries: number) => void): Promise<AuditVerification>
  /** Deletes the entries before a time, and records that. The chain then begins at its anchor. Returns the number of entries. */
  deleteBefore(ms: number): Promise<number>
  /**
   * If there are more than `entriesMax` entries, deletes the oldest in the same way, so that 99 % of `entriesMax` remain; but only
   * entries that were streamed.
   */
  deleteStreamed(entriesMax: number): Promise<number>
}

/** The origin of an actor's request. */
export function originOf({ address, requestId }: AuditOrigin): AuditOrigin {
  return { ...(address !== undefined && { address }), ...(requestId !== undefined && { requestId }) }
}
