import { defined } from '../lib/optional.ts'
import { DAY_MS } from '../lib/time.ts'
import type { Values } from './config.ts'

/** The request log of each organization. */
export interface RequestLogConfig {
  readonly retentionMs: number
  /** How many requests of an organization are kept. */
  readonly entriesMax: number
  /** Network addresses are kept. */
  readonly addresses: boolean
}

/** The audit logs. */
export interface AuditConfig {
  /** How long entries are kept; without it, forever. */
  readonly retentionMs?: number
  /** How many entries are kept of those that were streamed; without it, all. */
  readonly entriesMax?: number
  /** Where entries are streamed: `stdout`, or the path of a file. */
  readonly log?: string
}

/** The logs of the acts of people and of the requests of callers. */
export function logConfigs(values: Values): { audit: AuditConfig; requestLog: RequestLogConfig } {
  const { AUDIT_LOG, AUDIT_DAYS, AUDIT_ENTRIES_MAX } = values
  const retentionMs = AUDIT_DAYS === undefined ? undefined : AUDIT_DAYS * DAY_MS
  return {
    audit: defined({ log: AUDIT_LOG, retentionMs, entriesMax: AUDIT_ENTRIES_MAX }),
    requestLog: {
      retentionMs: values.REQUEST_LOG_DAYS * DAY_MS,
      entriesMax: values.REQUEST_LOG_ENTRIES_MAX,
      addresses: values.REQUEST_LOG_ADDRESSES,
    },
  }
}
