import { maskedOptions } from '../feeds/edit-options.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { SourceOverview, SyncOutcome } from '../store/contracts/sources.ts'
import { healthOf } from '../sync/source-health.ts'
import { formatInstant, formatInstants, formatSeconds } from './table.ts'

/** A source as commands print it. */
export type PrintedSource = ReturnType<typeof printedSource>

/** A source without its connector's state. Options are names and references, without secrets. */
export function printedSource(source: SourceOverview) {
  return {
    slug: source.slug,
    ...(source.name !== undefined && { name: source.name }),
    format: source.format,
    url: source.url,
    ...(Object.keys(source.options).length > 0 && { options: maskedOptions(source.options) }),
    strict: source.strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / MINUTE_MS }),
    ...(source.slotsMax !== undefined && { slotsMax: source.slotsMax }),
    createdAt: formatInstant(source.createdAtMs),
    slots: source.slotCount,
    // Of the current snapshot.
    rejected: source.watch.lastRead?.rejected ?? 0,
    withheld: source.watch.lastRead?.withheld ?? 0,
    testSlots: source.watch.lastRead?.testSlots ?? 0,
    ...formatInstants({ changedAt: source.changedAtMs }),
    failures: source.failures,
    ...(source.paused && { paused: true }),
    // Before the first sync it is due immediately; files and paused sources are never due.
    ...(source.lastSync !== undefined &&
      source.format !== 'files' &&
      !source.paused && { nextSyncAt: formatInstant(source.nextSyncAtMs) }),
    ...(source.lastSync !== undefined && { lastSync: printedSync(source.lastSync) }),
  }
}

/** Time of the next sync, as text. */
export function nextSyncOf({ format, paused, nextSyncAt }: PrintedSource): string {
  if (format === 'files') return 'on import'
  if (paused) return 'paused'
  return nextSyncAt === undefined ? 'now' : formatSeconds(nextSyncAt)
}

/** The outcome of a sync. */
export function printedSync({ startedAtMs, ...outcome }: SyncOutcome) {
  return { startedAt: formatInstant(startedAtMs), ...outcome }
}

/** A source's health and freshness, as commands print them. */
export type FreshnessView = ReturnType<typeof viewFreshness>

/**
 * A source's health and freshness at a time: the last successful read, the feed's own timestamp, which suspicious
 * snapshots require approval, and the snapshot that is held for review.
 */
export function viewFreshness(source: SourceOverview, nowMs: number) {
  const { lastCheckedAtMs, publishedAtMs, watch } = source
  const { health, why } = healthOf(source, nowMs)
  return {
    health,
    ...(why !== '' && { why }),
    ...formatInstants({ lastCheckedAt: lastCheckedAtMs, publishedAt: publishedAtMs }),
    hold: watch.reviewPolicy,
    ...(watch.held !== undefined && { held: viewHeld(watch.held, watch.nextApproved) }),
  }
}

/** `approved`: the next sync is served if it is like this snapshot. */
function viewHeld(held: NonNullable<SourceOverview['watch']['held']>, approved: boolean) {
  return {
    since: formatInstant(held.sinceMs),
    at: formatInstant(held.atMs),
    before: held.before,
    after: held.after,
    anomalies: held.anomalies.map(({ kind }) => kind),
    approved,
  }
}
