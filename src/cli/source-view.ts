import { maskedOptions } from '../feeds/edit-options.ts'
import { MINUTE_MS } from '../lib/time.ts'
import type { ReviewPolicy } from '../shared/source-vocabulary.ts'
import type { SourceHealth } from '../slot/source-freshness.ts'
import type { Anomaly } from '../store/contracts/source-watch.ts'
import type { SourceOverview, SyncOutcome } from '../store/contracts/sources.ts'
import { healthOf } from '../sync/source-health.ts'
import { formatInstant, formatSeconds } from './table.ts'

/** A source as commands print it. */
export interface PrintedSource {
  readonly slug: string
  /** Display name of the publisher. */
  readonly name?: string
  readonly format: SourceOverview['format']
  readonly url: string
  /** Request options as names and references, without secrets. */
  readonly options?: SourceOverview['options']
  readonly strict: boolean
  readonly everyMinutes?: number
  readonly createdAt: string
  /** Number of slots in its snapshot, of any status. */
  readonly slots: number
  readonly changedAt?: string
  /** Consecutive failed syncs. */
  readonly failures: number
  /** Absent before the first sync and for imported files. */
  readonly nextSyncAt?: string
  readonly lastSync?: PrintedSync
}

/** A sync as commands print it. */
export interface PrintedSync extends Omit<SyncOutcome, 'startedAtMs'> {
  readonly startedAt: string
}

/** A source without its connector's state. */
export function printedSource(source: SourceOverview): PrintedSource {
  return {
    slug: source.slug,
    ...(source.name !== undefined && { name: source.name }),
    format: source.format,
    url: source.url,
    ...(Object.keys(source.options).length > 0 && { options: maskedOptions(source.options) }),
    strict: source.strict,
    ...(source.everyMs !== undefined && { everyMinutes: source.everyMs / MINUTE_MS }),
    createdAt: formatInstant(source.createdAtMs),
    slots: source.slotCount,
    ...(source.changedAtMs !== undefined && { changedAt: formatInstant(source.changedAtMs) }),
    failures: source.failures,
    // Before the first sync it is due immediately; files are never due.
    ...(source.lastSync !== undefined &&
      source.format !== 'files' && { nextSyncAt: formatInstant(source.nextSyncAtMs) }),
    ...(source.lastSync !== undefined && { lastSync: printedSync(source.lastSync) }),
  }
}

/** Time of the next sync, as text. */
export function nextSyncOf({ format, nextSyncAt }: PrintedSource): string {
  if (format === 'files') return 'on import'
  return nextSyncAt === undefined ? 'now' : formatSeconds(Date.parse(nextSyncAt))
}

/** The outcome of a sync. */
export function printedSync({ startedAtMs, ...outcome }: SyncOutcome): PrintedSync {
  return { startedAt: formatInstant(startedAtMs), ...outcome }
}

/** A source's health and freshness, as commands print them. */
export interface FreshnessView {
  readonly health: SourceHealth
  /** The reason; absent for `healthy`. */
  readonly why?: string
  /** Last successful read. */
  readonly lastCheckedAt?: string
  /** The feed's own timestamp. */
  readonly publishedAt?: string
  /** Which suspicious snapshots require approval. */
  readonly hold: ReviewPolicy
  /** The snapshot that is held for review. */
  readonly held?: HeldView
}

/** A snapshot that is held for review. */
export interface HeldView {
  readonly since: string
  readonly at: string
  readonly before: number
  readonly after: number
  readonly anomalies: readonly Anomaly['kind'][]
  /** Approved: the next sync is served if it is like this snapshot. */
  readonly approved: boolean
}

/** A source's health and freshness at a point in time. */
export function viewFreshness(source: SourceOverview, nowMs: number): FreshnessView {
  const { lastCheckedAtMs, publishedAtMs, watch } = source
  const { health, why } = healthOf(source, nowMs)
  return {
    health,
    ...(why !== '' && { why }),
    ...(lastCheckedAtMs !== undefined && { lastCheckedAt: formatInstant(lastCheckedAtMs) }),
    ...(publishedAtMs !== undefined && { publishedAt: formatInstant(publishedAtMs) }),
    hold: watch.reviewPolicy,
    ...(watch.held !== undefined && { held: viewHeld(watch.held, watch.nextApproved) }),
  }
}

function viewHeld(held: NonNullable<SourceOverview['watch']['held']>, approved: boolean): HeldView {
  return {
    since: formatInstant(held.sinceMs),
    at: formatInstant(held.atMs),
    before: held.before,
    after: held.after,
    anomalies: held.anomalies.map(({ kind }) => kind),
    approved,
  }
}
