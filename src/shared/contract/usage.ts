import { z } from 'zod'
import { type Contract, TIME_MS, timeParameter } from './contract.ts'

/** Requests by hour, key and status. Hours without requests are absent. */
export const USAGE = z.strictObject({
  hours: z
    .array(z.strictObject({ hourMs: TIME_MS, keyId: z.string(), status: z.number(), requests: z.number() }))
    .readonly(),
  /** The keys in `hours`. */
  keys: z.array(z.strictObject({ id: z.string(), name: z.string(), lastFour: z.string() })),
  /**
   * Requests of all keys by hour and by bucket of `LATENCY_BOUNDS_US`, without empty buckets at the end. Inside the service, without
   * the network.
   */
  latencies: z.array(z.strictObject({ hourMs: TIME_MS, counts: z.array(z.number()) })).readonly(),
})
export type UsageView = z.infer<typeof USAGE>

const TOP_QUERIES = z.strictObject({
  /** Targets without pages, times and ids, the most frequent first. */
  queries: z.array(
    z.strictObject({
      method: z.string(),
      target: z.string(),
      requests: z.number(),
      errors: z.number(),
      p95Ms: z.number(),
    }),
  ),
  /** How many requests of the log were read: the newest of the period. */
  requests: z.number(),
  /** The time of the oldest of them. */
  sinceMs: TIME_MS.exactOptional(),
})
export type TopQueriesView = z.infer<typeof TOP_QUERIES>

/** At most 92 days. */
export const SPAN = z.strictObject({
  fromMs: timeParameter('The start'),
  toMs: timeParameter('The end'),
  key: z.string().max(100).optional(),
})

export const USAGE_CONTRACT = {
  'GET /api/organizations/:org/usage': { access: 'usage.read', query: SPAN, response: USAGE },
  'GET /api/organizations/:org/usage.csv': { access: 'usage.read', query: SPAN, response: z.string() },
  'GET /api/organizations/:org/usage/queries': { access: 'usage.read', query: SPAN, response: TOP_QUERIES },
} as const satisfies Contract
