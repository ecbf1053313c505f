import type { ApiKey } from '../../keys/key.ts'
import type { ReferralCount, UsageBatch } from '../../keys/usage-batch.ts'
import type { KeySort } from '../../shared/key-sorts.ts'
import type { AuditActor } from './audit.ts'
import type { ListPosition, PageRequest } from './page.ts'

export type { ReferralCount, UsageBatch }

/** The result of a rotation: the new key, and the old one after the change. */
export interface RotatedKey {
  readonly key: ApiKey
  readonly old: ApiKey
}

/** What people can change of a key; what is absent stays. Null: no note, no expiry, all networks. */
export interface KeyEdit {
  readonly name?: string
  readonly note?: string | null
  readonly expiresAtMs?: number | null
  readonly networks?: readonly string[] | null
}

/** Which keys are listed, and in which order. */
export interface KeyFilter {
  /** A part of the name, the note, the ID or the last four characters; case is ignored. */
  readonly search?: string
  readonly isActive?: boolean
  /** `ended` by default. */
  readonly sort?: KeySort
}

/** The keys of all organizations. */
export interface KeyStore {
  /** Throws `LimitReached` if the organization has `activeMax` active keys. */
  put(key: ApiKey, by?: AuditActor, activeMax?: number): Promise<void>
  /** Of all organizations if none is named. */
  list(organizationId?: string, page?: PageRequest, filter?: KeyFilter): Promise<ApiKey[]>
  countActive(organizationId: string): Promise<number>
  /** Of the organization's keys with these ids. */
  names(organizationId: string, ids: readonly string[]): Promise<Pick<ApiKey, 'id' | 'name' | 'lastFour'>[]>
  find(id: string): Promise<ApiKey | undefined>
  /** Revokes an active key; a revoked key stays as it was. Returns the key after the change; undefined if it does not exist. */
  revoke(
    id: string,
    revocation: { reason?: string; atMs: number; organizationId?: string; by?: AuditActor },
  ): Promise<ApiKey | undefined>
  /**
   * Changes an active key; equal values change nothing. Returns the key after the change; undefined if the organization has no such active
   * key.
   */
  edit(key: { id: string; organizationId: string }, edit: KeyEdit, by: AuditActor): Promise<ApiKey | undefined>
  /**
   * Stores `next`, with the name, note and networks of the old key, and lets the old key expire at `untilMs` at the latest; if that time has come, the old key is revoked.
   * Undefined if the organization has no such active key that was not rotated before. Throws `LimitReached` if the old key
   * stays active and the organization has `activeMax` active keys.
   */
  rotate(
    old: { id: string; organizationId: string; untilMs: number },
    next: ApiKey,
    by: AuditActor,
    activeMax?: number,
  ): Promise<RotatedKey | undefined>
  /** All keys that changed after a revision (0: every key that was not deleted), and the revision that includes them. */
  changedSince(revision: number): Promise<{ keys: ApiKey[]; revision: number }>
  /** Deletes the keys that were revoked or expired before a time and have no usage left, for retention. Returns the number. */
  deleteEnded(beforeMs: number): Promise<number>
}

/** The place of a key in `KeyStore.list()`. */
export function keyPosition(key: ApiKey, sort: KeySort = 'ended'): ListPosition {
  const { id, createdAtMs: atMs, expiresAtMs, revokedAtMs, lastUsedAtMs = 0 } = key
  const rank = sort === 'ended' ? (revokedAtMs ?? expiresAtMs ?? Number.MAX_SAFE_INTEGER) : lastUsedAtMs
  return { rank, atMs, id }
}

/** Counts of requests by key, and of referrals by source. A killed process loses at most the last second. */
export interface UsageStore {
  /**
   * Adds the counts and the requests of the log in one short transaction. Ignores unknown keys and sources, never moves a last use
   * backwards, and changes no key revision. Of each organization's log, only the newest `logEntriesMax` stay. A batch with an id is added
   * once.
   */
  add(batch: UsageBatch, logEntriesMax?: number): Promise<void>
  /** Ordered by hour (UTC), key and status. `hourMs` is the start of the hour. */
  hours(
    filter: UsageFilter & { readonly rowsMax?: number },
  ): Promise<{ hourMs: number; keyId: string; status: number; requests: number }[]>
  /** Requests of all keys by hour, in order, and by bucket of `LATENCY_BOUNDS_US`, without empty buckets at the end. */
  latencies(filter: UsageFilter): Promise<{ hourMs: number; counts: number[] }[]>
  /** The number of redirects to the booking pages of a source, from the start of a day (UTC) on. */
  referrals(slug: string, fromMs: number): Promise<number>
  /** Deletes the hours and days before a time, for retention. */
  deleteBefore(beforeMs: number): Promise<void>
}

export interface UsageFilter {
  readonly organizationId: string
  readonly keyId?: string
  /** Inclusive, the start of an hour. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}
