/** The health of a source; the rules are in `sync/source-health.ts`. */
export const SOURCE_HEALTHS = ['paused', 'never-synced', 'failing', 'suspicious', 'late', 'stale', 'healthy'] as const
export type SourceHealth = (typeof SOURCE_HEALTHS)[number]

/** The public state of a source. Times are milliseconds since 1970. */
export interface SourceFreshness {
  /** The publisher's identifier in URLs and responses. */
  readonly slug: string
  /** The display name of the publisher. */
  readonly name?: string
  /** The address of its feed if that is public, without query and credentials. */
  readonly feedUrl?: string
  /** Syncs are paused. */
  readonly paused: boolean
  /** As last evaluated, seconds ago. */
  readonly health: SourceHealth
  /** The last successful sync. */
  readonly lastCheckedAtMs?: number
  /** The publication time that the feed states. */
  readonly publishedAtMs?: number
  /** The last change of its slots. */
  readonly changedAtMs?: number
  /** The next sync, unless paused. */
  readonly nextSyncAtMs: number
}
