import type { SourceWatch } from '../../../src/store/contracts/source-watch.ts'
import type { SourceOverview, SyncOutcome } from '../../../src/store/contracts/sources.ts'
import { outcomeOf } from '../store/conformance/samples.ts'

/** The time of the sample. */
export const SAMPLE_NOW_MS = Date.UTC(2026, 5, 15, 12)

/** A successful sync with overrides. */
export function sampleOutcome(part: Partial<SyncOutcome> = {}): SyncOutcome {
  return outcomeOf({ startedAtMs: SAMPLE_NOW_MS - 60_000, ...part })
}

/** A healthy source with overrides, which was read and changed a minute ago. */
export function sampleSource(part: Partial<SourceOverview> = {}, watch: Partial<SourceWatch> = {}): SourceOverview {
  return {
    id: 1,
    slug: 'clinic',
    format: 'smart-links',
    url: 'https://clinic.example/$bulk-publish',
    options: {},
    strict: false,
    createdAtMs: SAMPLE_NOW_MS - 100 * 86_400_000,
    nextSyncAtMs: SAMPLE_NOW_MS + 60_000,
    failures: 0,
    slotCount: 200,
    lastCheckedAtMs: SAMPLE_NOW_MS - 60_000,
    publishedAtMs: SAMPLE_NOW_MS - 120_000,
    changedAtMs: SAMPLE_NOW_MS - 60_000,
    lastSync: sampleOutcome(),
    paused: false,
    ...part,
    watch: {
      reviewPolicy: 'extreme',
      nextApproved: false,
      anomalies: [],
      approved: [],
      changeGaps: [],
      lastEndMs: SAMPLE_NOW_MS + 86_400_000,
      health: 'healthy',
      healthSinceMs: SAMPLE_NOW_MS - 86_400_000,
      ...watch,
    },
  }
}
