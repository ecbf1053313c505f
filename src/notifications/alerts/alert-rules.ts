import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import type { AlertChange, AlertedHealth, OpenAlert } from '../../store/contracts/alerts.ts'
import type { HealthEvent } from '../../store/contracts/source-watch.ts'
import type { SourceOverview } from '../../store/contracts/sources.ts'

/**
 * For how long a source must have been so before it is told, in milliseconds: what comes and goes faster wakes nobody. What is not in
 * it is never told: a source that is paused or was never synced keeps the alert it had. docs/operations.md has a row for each.
 */
export const ALERT_AFTER_MS: Readonly<Record<Exclude<AlertedHealth, 'removed'>, number>> = {
  failing: 5 * MINUTE_MS,
  suspicious: 5 * MINUTE_MS,
  late: 5 * MINUTE_MS,
  stale: 30 * MINUTE_MS,
  healthy: 5 * MINUTE_MS,
}

/** Whose health changes so often within a day is restless. */
const RESTLESS_FROM = 6
const RESTLESS_WITHIN_MS = DAY_MS

/** For how long a restless source must have been the same before more is told of it than the first trouble. */
export const CALM_MS = 60 * MINUTE_MS

/** What is told from a message on is gathered for so long, so that a storm becomes a few messages. */
export const GATHER_MS = 5 * MINUTE_MS

/** How many changes one message tells of; the others go with the next, which then need not wait. */
export const CHANGES_MAX = 500

/** What is to be told of a source, but for the words. */
export type DueChange = Omit<AlertChange, 'why'>

/** What has lasted long enough to be told and was not: troubles first, then all-clears. */
export function dueChanges(
  sources: readonly SourceOverview[],
  open: readonly OpenAlert[],
  nowMs: number,
): DueChange[] {
  const told = new Map(open.map((alert) => [alert.sourceId, alert]))
  const changes = sources.flatMap((source) => {
    const before = told.get(source.id)?.health ?? 'healthy'
    const health = lastingHealth(source, nowMs)
    if (health === undefined || health === before) return []
    const { id: sourceId, slug, name, watch } = source
    return [{ sourceId, slug, ...(name && { name }), health, before, sinceMs: watch.healthSinceMs }]
  })
  const there = new Set(sources.map(({ id }) => id))
  const gone = open
    .filter(({ sourceId }) => !there.has(sourceId))
    .map(({ sourceId, slug, health }) => ({
      sourceId,
      slug,
      health: 'removed' as const,
      before: health,
      sinceMs: nowMs,
    }))
  return [...changes, ...gone].toSorted((a, b) => Number(isAllClear(a)) - Number(isAllClear(b)))
}

/**
 * Whether a change is not to be told yet: of a restless source, of which trouble was told, and which has not been the same for an
 * hour. So one that comes and goes all day is some dozens of messages at most, and its alert stays open meanwhile.
 */
export function isRestless(
  { before, health, sinceMs }: DueChange,
  events: readonly Pick<HealthEvent, 'atMs'>[],
  nowMs: number,
): boolean {
  if (before === 'healthy' || health === 'removed' || nowMs - sinceMs >= CALM_MS) return false
  return events.filter(({ atMs }) => nowMs - atMs < RESTLESS_WITHIN_MS).length >= RESTLESS_FROM
}

/** The trouble is over, or its source is gone. */
export function isAllClear({ health }: Pick<AlertChange, 'health'>): boolean {
  return health === 'healthy' || health === 'removed'
}

function lastingHealth({ watch }: SourceOverview, nowMs: number): AlertedHealth | undefined {
  const { health, healthSinceMs } = watch
  if (health === 'paused' || health === 'never-synced') return undefined
  return nowMs - healthSinceMs >= ALERT_AFTER_MS[health] ? health : undefined
}
