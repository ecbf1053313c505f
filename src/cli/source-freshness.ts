import type { SourceHealth } from '../slot/source-freshness.ts'
import type { SourceOverview } from '../store/contracts/source-store.ts'
import type { Anomaly, ReviewPolicy } from '../store/contracts/source-watch.ts'
import { healthOf } from '../sync/source-health.ts'
import { formatInstant } from './table.ts'

/** How a source does, as commands show it beside the rest. */
export interface FreshnessView {
  readonly health: SourceHealth
  /** Sentences; absent for `healthy`. */
  readonly why?: string
  /** When we last looked, and could read it. */
  readonly lookedAt?: string
  /** When the publisher says that what we hold is from. */
  readonly publishedAt?: string
  /** Which suspicious snapshots wait for a yes. */
  readonly hold: ReviewPolicy
  /** What came and waits for it. */
  readonly held?: HeldView
}

/** A snapshot that is held. */
export interface HeldView {
  readonly since: string
  readonly at: string
  readonly before: number
  readonly after: number
  readonly findings: readonly Anomaly['kind'][]
  /** The yes was said, and the next sync is taken in. */
  readonly accepting: boolean
}

/** Shows how a source does at a time. */
export function viewFreshness(source: SourceOverview, nowMs: number): FreshnessView {
  const { lastCheckedAtMs: lookedAtMs, publishedAtMs, watch } = source
  const { health, why } = healthOf(source, nowMs)
  return {
    health,
    ...(why !== '' && { why }),
    ...(lookedAtMs !== undefined && { lookedAt: formatInstant(lookedAtMs) }),
    ...(publishedAtMs !== undefined && { publishedAt: formatInstant(publishedAtMs) }),
    hold: watch.reviewPolicy,
    ...(watch.held !== undefined && { held: viewHeld(watch.held, watch.nextApproved) }),
  }
}

function viewHeld(held: NonNullable<SourceOverview['watch']['held']>, accepting: boolean): HeldView {
  return {
    since: formatInstant(held.sinceMs),
    at: formatInstant(held.atMs),
    before: held.before,
    after: held.after,
    findings: held.anomalies.map(({ kind: what }) => what),
    accepting,
  }
}
