import { z } from 'zod'
import { ANOMALY_KINDS } from '../source-vocabulary.ts'
import { TIME_MS } from './contract.ts'

const SNAPSHOT_SUMMARY = z.strictObject({
  slots: z.number(),
  /** Codes of the states and regions, those with the most slots first. */
  states: z.array(z.string()).readonly(),
  /** Starts of the first and the last slot. */
  firstStartMs: TIME_MS.exactOptional(),
  lastStartMs: TIME_MS.exactOptional(),
})

/** The served and the held snapshot, and the next slots that only the served one has. */
const SNAPSHOT_COMPARISON = z.strictObject({
  served: SNAPSHOT_SUMMARY,
  held: SNAPSHOT_SUMMARY,
  lost: z
    .array(
      z.strictObject({
        startMs: TIME_MS,
        location: z.string().exactOptional(),
        city: z.string().exactOptional(),
        state: z.string().exactOptional(),
        serviceType: z.string().exactOptional(),
      }),
    )
    .readonly(),
})
export type SnapshotComparisonView = z.infer<typeof SNAPSHOT_COMPARISON>

/** The snapshot of a source that waits for approval. */
export const HELD_SNAPSHOT = z.strictObject({
  anomalies: z
    .array(
      z.strictObject({
        kind: z.enum(ANOMALY_KINDS),
        atMs: TIME_MS,
        before: z.number(),
        after: z.number(),
        /** For `rejected` and `unreadable`. */
        lines: z
          .strictObject({ read: z.number(), rejected: z.number(), example: z.string().exactOptional() })
          .exactOptional(),
      }),
    )
    .readonly(),
  /** The anomalies, as sentences. */
  why: z.string(),
  /** When the first and the last of the equivalent held snapshots arrived. */
  sinceMs: TIME_MS,
  atMs: TIME_MS,
  /** The number of slots that are served, and in the held snapshot. */
  before: z.number(),
  after: z.number(),
  /** Absent if an earlier version held it. */
  comparison: SNAPSHOT_COMPARISON.exactOptional(),
})
