/** How a source does, by rules that are written down: see `sync/source-health.ts`. */
export const SOURCE_HEALTHS = [
  'paused',
  'never-synced',
  'failing',
  'suspicious',
  'late',
  'stale',
  'healthy',
] as const
export type SourceHealth = (typeof SOURCE_HEALTHS)[number]

/** What callers may know of a source beside its slots. Times are milliseconds since 1970. */
export interface SourceFreshness {
  /** The publisher's name in our addresses and answers. */
  readonly slug: string
  /** What people call the publisher. */
  readonly name?: string
  /** It is not looked at for now. */
  readonly paused: boolean
  /** As it was judged last, seconds ago. */
  readonly health: SourceHealth
  /** When it could last be read. */
  readonly lastCheckedAtMs?: number
  /** When the publisher says that what we hold is from. */
  readonly publishedAtMs?: number
  /** When what we hold of it last changed. */
  readonly changedAtMs?: number
  /** When it is looked at next, unless it is paused. */
  readonly nextSyncAtMs: number
}
