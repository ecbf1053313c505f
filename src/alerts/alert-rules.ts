import type { AlertChange, OpenAlert, ToldHealth } from '../store/alert-store.ts'
import type { SourceOverview } from '../store/source-store.ts'

const MINUTE_MS = 60_000

/**
 * For how long a source must have been so before it is told, in milliseconds: what comes and goes faster wakes nobody. What is not in
 * it is never told: a source that is paused or was never synced keeps the alert it had. docs/operations.md has a row for each.
 */
export const ALERT_AFTER_MS: Readonly<Record<Exclude<ToldHealth, 'removed'>, number>> = {
  failing: 5 * MINUTE_MS,
  suspicious: 5 * MINUTE_MS,
  late: 5 * MINUTE_MS,
  stale: 30 * MINUTE_MS,
  healthy: 5 * MINUTE_MS,
}

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

/** The trouble is over, or its source is gone. */
export function isAllClear({ health }: Pick<AlertChange, 'health'>): boolean {
  return health === 'healthy' || health === 'removed'
}

function lastingHealth({ watch }: SourceOverview, nowMs: number): ToldHealth | undefined {
  const { health, healthSinceMs } = watch
  if (health === 'paused' || health === 'never-synced') return undefined
  return nowMs - healthSinceMs >= ALERT_AFTER_MS[health] ? health : undefined
}
