import { maskedOptions } from '../../../feeds/edit-options.ts'
import { defined } from '../../../lib/optional.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import type { SourcesSummary } from '../../../shared/contract/source-lists.ts'
import type { OpenSlotsView, SourceActionView, SourceView } from '../../../shared/contract/sources.ts'
import type { OpenSlotSeries } from '../../../store/contracts/open-slot-history.ts'
import type { SourceAction } from '../../../store/contracts/source-log.ts'
import { isRejecting, type ListedSources, type SourceOverview } from '../../../store/contracts/sources.ts'
import { describeAnomalies } from '../../../sync/anomaly-rules.ts'
import { healthOf } from '../../../sync/source-health.ts'

/** A source as the operator sees it: without the connector's state, and with masked options. */
export function viewSource(source: SourceOverview, nowMs: number): SourceView {
  const { slug, format, url, strict, paused, createdAtMs, nextSyncAtMs, failures, slotCount, watch } = source
  const { name, slotsMax, lastCheckedAtMs, publishedAtMs, changedAtMs, lastSync } = source
  const { health, why } = healthOf(source, nowMs)
  const { held, lastRead } = watch
  return {
    slug,
    format,
    url,
    ...(Object.keys(source.options).length > 0 && { options: maskedOptions(source.options) }),
    strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / MINUTE_MS }),
    paused,
    createdAtMs,
    nextSyncAtMs,
    failures,
    slotCount,
    ...defined({ name, slotsMax, lastCheckedAtMs, publishedAtMs, changedAtMs, lastSync, lastRead }),
    health,
    ...(why !== '' && { healthWhy: why }),
    ...(health === watch.health && { healthSinceMs: watch.healthSinceMs }),
    hold: watch.reviewPolicy,
    ...(held && { held: { ...held, why: describeAnomalies(held.anomalies) }, accepting: watch.nextApproved }),
    flags: sourceFlags(source, health),
  }
}

/** Counts of all sources. */
export function viewSummary({ slotCount, attention, byHealth }: ListedSources): SourcesSummary {
  const sources = Object.values(byHealth).reduce((sum, count) => sum + count, 0)
  return { sources, slots: slotCount, attention, byHealth }
}

/** The reasons for attention, the most severe first. A paused source has no flags. */
export function sourceFlags(source: SourceOverview, health: SourceView['health']): SourceView['flags'] {
  if (health === 'paused') return []
  const flags: SourceView['flags'] = health === 'healthy' ? [] : [health]
  if (health === 'never-synced') return flags
  if (source.slotCount === 0 && source.changedAtMs !== undefined) flags.push('empty')
  const { lastRead } = source.watch
  if (lastRead !== undefined && isRejecting(lastRead)) flags.push('rejecting')
  return flags
}

export function viewAction({ actor, ...action }: SourceAction): SourceActionView {
  return { ...action, actor: actor.name, ...defined({ address: actor.address }) }
}

export function viewOpenSlots({ fromMs, stepMs, series }: OpenSlotSeries): OpenSlotsView {
  const states = [...series]
    .filter(([state]) => state !== '')
    .map(([state, counts]) => ({ state, counts, last: counts.findLast((count) => count !== null) ?? 0 }))
    .sort((a, b) => b.last - a.last || (a.state < b.state ? -1 : 1))
    .map(({ state, counts }) => ({ state, counts }))
  return { fromMs, stepMs, all: series.get('') ?? [], states }
}
