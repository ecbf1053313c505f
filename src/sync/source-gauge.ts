import type { SourceHealth } from '../slot/source-freshness.ts'

/** How a source does, as metrics tell it. */
export interface SourceGauge {
  readonly slug: string
  readonly health: SourceHealth
  readonly slots: number
  readonly lookedAtMs?: number
  readonly publishedAtMs?: number
  readonly changedAtMs?: number
}
