import type { SourceFreshness } from '../slot/source-freshness.ts'

/** How a source does, for callers. */
export const SOURCE_STATUSES = ['ok', 'failing', 'never-synced', 'paused'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

/**
 * `paused`: it is not looked at for now. `failing`: the last look at it failed; what was held before is served. `never-synced`:
 * it is yet to be looked at. `ok`: none of these.
 */
export function statusOf({ paused, failures, lookedAtMs }: SourceFreshness): SourceStatus {
  if (paused) return 'paused'
  if (failures > 0) return 'failing'
  return lookedAtMs === undefined ? 'never-synced' : 'ok'
}
