import { z } from 'zod'
import { type Contract, TIME_MS, timeParameter } from './contract.ts'

/** Requests by hour, key and status. Hours without requests are absent. */
export const USAGE = z.strictObject({
  hours: z
    .array(z.strictObject({ hourMs: TIME_MS, keyId: z.string(), status: z.number(), requests: z.number() }))
    .readonly(),
  /** The keys in `hours`. */
  keys: z.array(z.strictObject({ id: z.string(), name: z.string(), lastFour: z.string() })),
  /** Inside the service, without the network; absent if there were no requests. */
  latency: z.strictObject({ p50Ms: z.number(), p95Ms: z.number() }).exactOptional(),
})
export type UsageView = z.infer<typeof USAGE>

/** At most 92 days. */
export const SPAN = z.strictObject({
  fromMs: timeParameter('The start'),
  toMs: timeParameter('The end'),
  key: z.string().max(100).optional(),
})

export const USAGE_CONTRACT = {
  'GET /api/organizations/:org/usage': { access: 'usage.read', query: SPAN, response: USAGE },
  'GET /api/organizations/:org/usage.csv': { access: 'usage.read', query: SPAN, response: z.string() },
} as const satisfies Contract
