import { DAY_MS } from '../../../../src/lib/time.ts'
import type { AuditSearch } from '../../api/queries.ts'
import { AUDIT_KIND_OPTIONS } from './audit-labels.ts'

/** How far back to look: at all, so many days, or between two days that are chosen. */
export const TIMES = ['any', '1', '7', '30', '90', 'days'] as const
export type Time = (typeof TIMES)[number]

/** What the address of the audit page holds. `from` and `to` are `YYYY-MM-DD` in the visitor's zone, both inclusive. */
export type AuditAddress = {
  readonly kind?: string | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
  readonly time?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What is asked of the API for it. What an address says wrongly is left out. */
export function auditFilter(address: AuditAddress, nowMs: number): AuditSearch {
  return {
    kind: AUDIT_KIND_OPTIONS.find((kind) => kind === address.kind),
    actor: address.actor?.trim().slice(0, 320) || undefined,
    subject: address.subject,
    ...timesOf(address, nowMs),
  }
}

/** True if the address leaves anything out of the log. */
export function isFiltered({ kind, actor, subject, time }: AuditAddress): boolean {
  return Boolean(kind || actor || subject || time)
}

function timesOf({ time, from, to }: AuditAddress, nowMs: number): Pick<AuditSearch, 'fromMs' | 'toMs'> {
  if (time === 'days') return { fromMs: midnight(from, 0), toMs: midnight(to, 1) }
  const days = time !== 'any' && TIMES.some((one) => one === time) ? Number(time) : 0
  return days > 0 ? { fromMs: nowMs - days * DAY_MS } : {}
}

/** Where a day begins, or the one so many days later. Undefined for a text that is no day. */
function midnight(date: string | undefined, daysLater: number): number | undefined {
  const [year, month, day] = (date ?? '').split('-').map(Number)
  const ms = new Date(year, month - 1, day + daysLater).getTime()
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}
