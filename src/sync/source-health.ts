import { DAY_MS, formatDuration, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { SourceHealth } from '../slot/source-freshness.ts'
import type { SourceOverview } from '../store/contracts/sources.ts'
import { ANOMALY_RULES, describeAnomalies, ongoingAnomalies } from './anomaly-rules.ts'

/** Tolerated delay of a sync; a busy node catches up in less. */
export const LATE_AFTER_MS = 2 * MINUTE_MS

/** Consecutive failures until a source is failing: about three minutes, including the pauses between them. */
const FAILURES_MAX = 3

/** A source never becomes stale earlier. */
const STALE_AFTER_MS_MIN = HOUR_MS
/** Allowed time without changes while the usual pause is unknown. */
const UNUSUAL_MS = DAY_MS
/** Allowed time without changes, as a multiple of the usual pause. */
const STALE_FACTOR = 1.5

/** The health of a source and its reason: one or more sentences, empty for `healthy`. */
interface HealthAssessment {
  readonly health: SourceHealth
  readonly why: string
}

/** A rule that assigns one health. */
interface HealthRule {
  readonly health: SourceHealth
  /** The condition, as documented in docs/operating-sources.md. */
  readonly means: string
  /** The reason; undefined if the rule does not match. */
  readonly whyOf: (source: SourceOverview, nowMs: number) => string | undefined
}

/** The first matching rule applies. A test compares the table in docs/operating-sources.md. */
export const HEALTH_RULES: readonly HealthRule[] = [
  {
    health: 'paused',
    means: 'An operator paused it. No other rule applies.',
    whyOf: ({ paused }) => (paused ? 'It is paused.' : undefined),
  },
  {
    health: 'failing',
    means: `The last ${FAILURES_MAX} syncs failed, or every sync so far.`,
    whyOf: whyFailing,
  },
  {
    health: 'suspicious',
    means: 'A snapshot is held, or the current snapshot is suspicious and not approved.',
    whyOf: whySuspicious,
  },
  {
    health: 'late',
    means: `Its sync is overdue by ${LATE_AFTER_MS / MINUTE_MS} minutes and is not running.`,
    whyOf: whyLate,
  },
  {
    health: 'never-synced',
    means: 'No sync has finished yet.',
    whyOf: ({ lastSync, lastCheckedAtMs }) =>
      lastSync === undefined || lastCheckedAtMs === undefined ? 'No sync has finished yet.' : undefined,
  },
  {
    health: 'stale',
    means: `It has not changed for ${STALE_FACTOR} times its usual pause, and at least an hour; for a day while its usual pause is unknown.`,
    whyOf: whyStale,
  },
  { health: 'healthy', means: 'None of these.', whyOf: () => '' },
]

/** Assesses a source at a time. Pure; fast enough for thousands of sources per second. */
export function healthOf(source: SourceOverview, nowMs: number): HealthAssessment {
  for (const { health, whyOf } of HEALTH_RULES) {
    const why = whyOf(source, nowMs)
    if (why !== undefined) return { health, why }
  }
  throw new Error('Cannot assess source: no health rule matches, although the last one must match every source')
}

/**
 * The longest usual time between two changes: the second longest of the daily longest pauses of the last fourteen days,
 * so that it includes nights and weekends but not one outage. Undefined while fewer than two days are known.
 */
export function usualPauseMs({ watch }: Pick<SourceOverview, 'watch'>, nowMs: number): number | undefined {
  const since = Math.floor(nowMs / DAY_MS) - 14
  const pauses = watch.changeGaps.filter(({ day }) => day >= since).map(({ longestMs }) => longestMs)
  return pauses.toSorted((a, b) => b - a)[1]
}

function whyFailing({ failures, lastSync, lastCheckedAtMs }: SourceOverview): string | undefined {
  const isFailing = failures >= FAILURES_MAX || (failures > 0 && lastCheckedAtMs === undefined)
  if (!isFailing) return undefined
  const often = failures > 1 ? `The last ${failures} syncs failed` : 'The last sync failed'
  return lastSync?.error === undefined ? `${often}.` : `${often}: ${lastSync.error}`
}

function whySuspicious(source: SourceOverview, nowMs: number): string | undefined {
  const { watch, slotCount, lastCheckedAtMs } = source
  if (watch.held !== undefined)
    return `${describeAnomalies(watch.held.anomalies)} The snapshot is held until an operator approves it.`
  const sinceRead = lastCheckedAtMs === undefined ? [] : anomaliesByNow(source, nowMs)
  const standing = ongoingAnomalies(source, nowMs).filter(({ kind }) => kind !== 'ended')
  const all = [...standing, ...sinceRead.map((kind) => ({ kind, atMs: nowMs, before: slotCount, after: slotCount }))]
  const open = all.filter(({ kind }) => !watch.approved.includes(kind))
  return open.length === 0 ? undefined : describeAnomalies(open)
}

/** Slots end also without a new sync. */
function anomaliesByNow({ slotCount, publishedAtMs, watch }: SourceOverview, nowMs: number) {
  const snapshot = {
    before: { slotCount, watch },
    slotCount,
    lines: { read: 0, rejected: 0 },
    isChanged: false,
    publishedAtMs,
    lastEndMs: watch.lastEndMs,
    nowMs,
  }
  return ANOMALY_RULES.filter((rule) => rule.kind === 'ended' && rule.isMet(snapshot)).map(({ kind }) => kind)
}

function whyLate(source: SourceOverview, nowMs: number): string | undefined {
  const { format, nextSyncAtMs, createdAtMs, watch } = source
  const isRead = (watch.readUntilMs ?? 0) > nowMs
  const lateMs = nowMs - Math.max(nextSyncAtMs, createdAtMs)
  if (format === 'files' || isRead || lateMs <= LATE_AFTER_MS) return undefined
  return `Its sync is ${Math.floor(lateMs / MINUTE_MS)} minutes overdue.`
}

function whyStale(source: SourceOverview, nowMs: number): string | undefined {
  const { changedAtMs } = source
  if (changedAtMs === undefined) return undefined
  const usualMs = usualPauseMs(source, nowMs)
  const quietMs = nowMs - changedAtMs
  const allowedMs = usualMs === undefined ? UNUSUAL_MS : Math.max(STALE_AFTER_MS_MIN, STALE_FACTOR * usualMs)
  if (quietMs <= allowedMs) return undefined
  const usual = usualMs === undefined ? '' : `; its usual pause is at most ${formatDuration(usualMs)}`
  return `It has not changed for ${formatDuration(quietMs)}${usual}.`
}
