import { maskedOptions } from '../../../feeds/edit-options.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import type { SourceView } from '../../../shared/source-shapes.ts'
import type { SourceOverview } from '../../../store/contracts/sources.ts'
import { healthOf } from '../../../sync/source-health.ts'
import { sourceFlags } from './source-flags.ts'

/** A source as the operator sees it: without what only its connector understands. */
export function viewSource(source: SourceOverview, nowMs: number): SourceView {
  const { slug, format, url, strict, paused, createdAtMs, nextSyncAtMs, failures, slotCount, watch } = source
  const { health, why } = healthOf(source, nowMs)
  return {
    slug,
    ...(source.name !== undefined && { name: source.name }),
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
    ...(source.lastCheckedAtMs !== undefined && { lastCheckedAtMs: source.lastCheckedAtMs }),
    ...(source.publishedAtMs !== undefined && { publishedAtMs: source.publishedAtMs }),
    ...(source.changedAtMs !== undefined && { changedAtMs: source.changedAtMs }),
    ...(source.lastSync !== undefined && { lastSync: source.lastSync }),
    health,
    ...(why !== '' && { healthWhy: why }),
    ...(health === watch.health && { healthSinceMs: watch.healthSinceMs }),
    hold: watch.reviewPolicy,
    ...(watch.held !== undefined && { held: watch.held, accepting: watch.nextApproved }),
    flags: sourceFlags(source, health),
  }
}
