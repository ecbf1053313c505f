import { DAY_MS } from '../../../../src/lib/time.ts'
import type { AuditSearch } from '../../api/queries.ts'
import { midnight } from '../../components/visitor-time.ts'
import { AUDIT_KIND_OPTIONS } from './audit-labels.ts'

/** The time range: any, a number of days, or between two dates. */
export const TIMES = ['any', '1', '7', '30', '90', 'days'] as const
export type Time = (typeof TIMES)[number]

/** The query parameters of the audit page. `from` and `to` are `YYYY-MM-DD` in the visitor's zone, both inclusive. */
export type AuditAddress = {
  readonly kind?: string | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
  /** `false`: without sign-ins. Ignored with a kind. */
  readonly signIns?: string | undefined
  readonly time?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The API parameters. Invalid values are ignored. */
export function auditFilter(address: AuditAddress, nowMs: number): AuditSearch {
  return {
    kind: AUDIT_KIND_OPTIONS.find((kind) => kind === address.kind),
    actor: address.actor?.trim().slice(0, 320) || undefined,
    subject: address.subject,
    signIns: showsSignIns(address) ? undefined : 'false',
    ...timesOf(address, nowMs),
  }
}

/** False if sign-ins are left out. A chosen kind decides by itself. */
export function showsSignIns({ kind, signIns }: AuditAddress): boolean {
  return kind !== undefined || signIns !== 'false'
}

/** True if any filter is set. */
export function isFiltered(address: AuditAddress): boolean {
  const { kind, actor, subject, time } = address
  return Boolean(kind || actor || subject || time) || !showsSignIns(address)
}

function timesOf({ time, from, to }: AuditAddress, nowMs: number): Pick<AuditSearch, 'fromMs' | 'toMs'> {
  if (time === 'days') return { fromMs: midnight(from, 0), toMs: midnight(to, 1) }
  const days = time !== 'any' && TIMES.some((one) => one === time) ? Number(time) : 0
  return days > 0 ? { fromMs: nowMs - days * DAY_MS } : {}
}
