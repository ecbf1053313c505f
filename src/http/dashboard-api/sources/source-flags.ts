import type { SourceView } from '../../../shared/source-shapes.ts'
import type { SourceHealth } from '../../../slot/source-freshness.ts'
import type { SourceOverview, SyncOutcome } from '../../../store/contracts/sources.ts'

type Flag = SourceView['flags'][number]

/**
 * What stands out about a source, gravest first: how it does by the rules of its health, if that is worth a look, and beside it
 *
 * - `empty`: it had slots and has none.
 * - `rejecting`: more than 1 % of the lines were rejected when it was last read.
 *
 * Nothing of a paused source: it was told to be.
 */
export function sourceFlags(source: SourceOverview, health: SourceHealth): Flag[] {
  if (health === 'paused') return []
  const flags: Flag[] = health === 'healthy' ? [] : [health]
  if (health === 'never-synced') return flags
  if (source.slotCount === 0 && source.changedAtMs !== undefined) flags.push('empty')
  if (isRejecting(source.watch.lastRead ?? source.lastSync)) flags.push('rejecting')
  return flags
}

const REJECTED_SHARE_MAX = 0.01

/** A sync that found nothing new read nothing either: what was rejected before it still is. */
function isRejecting(last: SyncOutcome | undefined): boolean {
  return last !== undefined && last.rejected > REJECTED_SHARE_MAX * last.read
}
