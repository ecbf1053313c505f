import type { LoggedRequest } from '../../keys/usage-batch.ts'
import { DAY_MS } from '../../lib/time.ts'

/** How many requests of an organization the log keeps by default. */
export const LOG_ENTRIES_MAX = 100_000

/** For how long the network addresses of a key are kept and shown after they were last seen. */
export const ADDRESSES_KEPT_MS = 30 * DAY_MS

/** A request in the log of an organization. */
export interface LogEntry extends LoggedRequest {
  /** Ascending in the organization: the order in which requests were stored, by node about that of their times. */
  readonly entry: number
}

/** Which entries; every condition must hold. */
export interface LogFilter {
  readonly organizationId: string
  readonly keyId?: string
  readonly requestId?: string
  /** A status, or the first digit of one: 404 or 4. */
  readonly status?: number
  readonly method?: string
  /** Part of the request target, as the caller sent it. */
  readonly target?: string
  readonly address?: string
  /** Inclusive. */
  readonly fromMs?: number
  /** Exclusive. */
  readonly toMs?: number
}

/** A network address that used a key. */
export interface KeyAddress {
  readonly address: string
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

/** The requests of organizations and the addresses of keys, which `UsageStore.add()` writes. */
export interface RequestLog {
  /**
   * Newest first, those before an entry. Indexes find the entries of a request id or a key; otherwise the log is read in steps of some
   * thousand entries, so that no query takes long.
   */
  list(filter: LogFilter, page: { readonly beforeEntry?: number; readonly limit: number }): Promise<LogEntry[]>
  /** How many requests in a period are not in the log because more arrived than it takes. */
  leftOut(filter: Pick<LogFilter, 'organizationId' | 'keyId' | 'fromMs' | 'toMs'>): Promise<number>
  /** Of a key, last seen first: at most `ADDRESSES_PER_KEY`, since a time. Empty for a key of another organization. */
  addresses(key: { readonly organizationId: string; readonly keyId: string }, sinceMs: number): Promise<KeyAddress[]>
  /** Deletes the entries before a time, and all of deleted organizations, for retention. */
  deleteBefore(beforeMs: number): Promise<void>
  /** Deletes the addresses of keys that were last seen before a time. */
  deleteAddressesBefore(beforeMs: number): Promise<void>
}
