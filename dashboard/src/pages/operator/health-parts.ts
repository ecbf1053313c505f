import type { HealthView } from '../../../../src/shared/contract/operator.ts'
import type { SourcesSummary } from '../../../../src/shared/contract/source-lists.ts'
import type { SourceFilter } from '../../../../src/shared/source-vocabulary.ts'

/** The health of the service or of a part of it. */
export type HealthLevel = 'failing' | 'starting' | 'attention' | 'healthy'

/** The worst first. */
export const HEALTH_LEVELS: readonly HealthLevel[] = ['failing', 'starting', 'attention', 'healthy']

/** The health of each part. */
export function partLevels(
  { ready, store, memory }: Pick<HealthView, 'ready' | 'store' | 'memory'>,
  { attention, byHealth }: Pick<SourcesSummary, 'attention' | 'byHealth'>,
): Readonly<Record<'sources' | 'requests' | 'database' | 'memory', HealthLevel>> {
  const { failing = 0, suspicious = 0 } = byHealth
  return {
    sources: attention === 0 ? 'healthy' : failing + suspicious > 0 ? 'failing' : 'attention',
    requests: ready ? 'healthy' : 'starting',
    database: store.ok ? 'healthy' : 'failing',
    memory: memory.missingSlots === 0 ? 'healthy' : 'failing',
  }
}

/** The worst of the parts. */
export function worstLevel(parts: Readonly<Record<string, HealthLevel>>): HealthLevel {
  const levels = new Set(Object.values(parts))
  return HEALTH_LEVELS.find((level) => levels.has(level)) ?? 'healthy'
}

/**
 * The sources by their health, the worst first. Those that need attention come before if some of them are healthy, such as sources
 * that reject lines.
 */
export function sourceCounts({ attention, byHealth }: Pick<SourcesSummary, 'attention' | 'byHealth'>) {
  const byWorst = WORST_FIRST.map((health) => [health, byHealth[health] ?? 0] as const)
  const inTrouble = TROUBLES.reduce((sum, health) => sum + (byHealth[health] ?? 0), 0)
  const counts: (readonly [filter: SourceFilter, count: number])[] =
    attention > inTrouble ? [['attention', attention], ...byWorst] : byWorst
  return counts.filter(([, count]) => count > 0)
}

const TROUBLES = ['failing', 'suspicious', 'late', 'stale'] as const
const WORST_FIRST = [...TROUBLES, 'never-synced', 'healthy', 'paused'] as const
