import { DAY_MS, hasPassed, MINUTE_MS } from '../../lib/time.ts'
import type { AlertChange, AlertedHealth, OpenAlert } from '../../store/contracts/alerts.ts'
import type { HealthEvent } from '../../store/contracts/source-watch.ts'
import type { SourceOverview } from '../../store/contracts/sources.ts'

/**
 * How long a source must have a health before it is reported, in milliseconds. A health that is not listed is not reported: a source
 * that is paused or was never synced keeps its open alert. docs/alerts.md has a row for each.
 */
export const ALERT_AFTER_MS: Readonly<Record<Exclude<AlertedHealth, 'removed'>, number>> = {
  failing: 5 * MINUTE_MS,
  suspicious: 5 * MINUTE_MS,
  late: 5 * MINUTE_MS,
  stale: 30 * MINUTE_MS,
  healthy: 5 * MINUTE_MS,
}

/** A source is flapping if its health changes this often within a day. */
const FLAPPING_CHANGES = 6
const FLAPPING_WINDOW_MS = DAY_MS

/** How long a flapping source must be stable before a second change is reported. */
const STABLE_MS = 60 * MINUTE_MS

/** Changes within this time after a message are grouped into the next, so that a storm becomes a few messages. */
export const GROUPING_MS = 5 * MINUTE_MS

/** Changes per message; the rest goes into the next message, without waiting. */
export const CHANGES_MAX = 500

/** A change to report, without its reason. */
export type DueChange = Omit<AlertChange, 'why'>

/** Changes that lasted long enough and were not reported: problems first, then resolved ones. */
export function dueChanges(sources: readonly SourceOverview[], open: readonly OpenAlert[], nowMs: number): DueChange[] {
  const reported = new Map(open.map((alert) => [alert.sourceId, alert]))
  const changes = sources.flatMap((source) => {
    const before = reported.get(source.id)?.health ?? 'healthy'
    const health = lastingHealth(source, nowMs)
    if (health === undefined || health === before) return []
    const { id: sourceId, slug, name, watch } = source
    return [{ sourceId, slug, ...(name && { name }), health, before, sinceMs: watch.healthSinceMs }]
  })
  const existing = new Set(sources.map(({ id }) => id))
  const removed = open
    .filter(({ sourceId }) => !existing.has(sourceId))
    .map(({ sourceId, slug, health }) => ({
      sourceId,
      slug,
      health: 'removed' as const,
      before: health,
      sinceMs: nowMs,
    }))
  return [...changes, ...removed].toSorted((a, b) => Number(isResolved(a)) - Number(isResolved(b)))
}

/**
 * Whether to withhold a change because its source is flapping: an alert is open, and the source has not been stable for an hour. So
 * a source that fails and recovers all day causes a few dozen messages at most, and its alert stays open.
 */
export function isFlapping(
  { before, health, sinceMs }: DueChange,
  events: readonly Pick<HealthEvent, 'atMs'>[],
  nowMs: number,
): boolean {
  if (before === 'healthy' || health === 'removed' || hasPassed(STABLE_MS, { sinceMs, nowMs })) return false
  return events.filter(({ atMs }) => nowMs - atMs < FLAPPING_WINDOW_MS).length >= FLAPPING_CHANGES
}

/** The problem is over, or the source was removed. */
export function isResolved({ health }: Pick<AlertChange, 'health'>): boolean {
  return health === 'healthy' || health === 'removed'
}

function lastingHealth({ watch }: SourceOverview, nowMs: number): AlertedHealth | undefined {
  const { health, healthSinceMs: sinceMs } = watch
  if (health === 'paused' || health === 'never-synced') return undefined
  return hasPassed(ALERT_AFTER_MS[health], { sinceMs, nowMs }) ? health : undefined
}
