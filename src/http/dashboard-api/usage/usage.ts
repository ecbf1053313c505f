import { LATENCY_BOUNDS_US } from '../../../keys/usage-meter.ts'
import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import type { Parsed } from '../../../shared/contract/contract.ts'
import { USAGE_CONTRACT, type UsageView } from '../../../shared/contract/usage.ts'
import { invalidField } from '../../../shared/dashboard-problem.ts'
import { USAGE_DAYS_MAX } from '../../../shared/usage-days.ts'
import type { UsageFilter } from '../../../store/contracts/keys.ts'
import { getKey } from '../keys/keys.ts'
import { implement, type OrganizationRequest } from '../route.ts'

/** The longest time that one response covers: days in which the clocks may change, from the start of an hour. */
const USAGE_MS_MAX = USAGE_DAYS_MAX * DAY_MS + 2 * HOUR_MS

/** Counts in one response: an hour, key and status each. */
export const USAGE_ROWS_MAX = 100_000

export const usageRoutes = implement(USAGE_CONTRACT, {
  'GET /api/organizations/:org/usage': (request) => readUsage(request, request.query),

  'GET /api/organizations/:org/usage.csv': async (request) => {
    const hours = await readHours(request, await usageFilter(request, request.query))
    const counted = await request.context.store.keys.names(request.organization.id, keysIn(hours))
    const names = new Map(counted.map(({ id, name }) => [id, name]))
    const lines = hours.map(({ hourMs, keyId, status, requests }) =>
      csvLine([csvTime(hourMs), keyId, names.get(keyId), status, requests]),
    )
    const head = csvLine(['hour', 'key_id', 'key_name', 'status', 'requests'])
    return csvResponse('usage.csv', head + lines.join(''))
  },
})

type OfOrganization = Pick<OrganizationRequest, 'context' | 'organization'>
type Span = Parsed<(typeof USAGE_CONTRACT)['GET /api/organizations/:org/usage'], 'query'>

/** The usage of an organization, or of one of its keys. Throws for a key of another one. */
export async function readUsage(request: OfOrganization, query: Span): Promise<UsageView> {
  const { usage, keys } = request.context.store
  const filter = await usageFilter(request, query)
  const [hours, buckets] = await Promise.all([readHours(request, filter), usage.latencies(filter)])
  const latency = latencyOf(buckets)
  return {
    hours,
    keys: await keys.names(filter.organizationId, keysIn(hours)),
    ...(latency !== undefined && { latency }),
  }
}

async function readHours({ context }: OfOrganization, filter: UsageFilter): Promise<UsageView['hours']> {
  const hours = await context.store.usage.hours({ ...filter, rowsMax: USAGE_ROWS_MAX + 1 })
  if (hours.length <= USAGE_ROWS_MAX) return hours
  throw invalidField('This time span has more than 100,000 counts. Choose a shorter one, or one key.', 'fromMs')
}

function keysIn(hours: UsageView['hours']): string[] {
  return [...new Set(hours.map(({ keyId }) => keyId))]
}

/** Starts at a full hour. Throws unless the key is the organization's. */
async function usageFilter(request: OfOrganization, { fromMs, toMs, key }: Span): Promise<UsageFilter> {
  if (toMs <= fromMs) throw invalidField('The end must be after the start.', 'toMs')
  if (toMs - fromMs > USAGE_MS_MAX)
    throw invalidField(`The time span must be at most ${USAGE_DAYS_MAX} days.`, 'fromMs')
  const span = { organizationId: request.organization.id, fromMs: fromMs - (fromMs % HOUR_MS), toMs }
  return key === undefined ? span : { ...span, keyId: (await getKey(request, key)).id }
}

function latencyOf(buckets: readonly CountedBucket[]): UsageView['latency'] {
  const [p50, p95] = [percentileUs(buckets, 0.5), percentileUs(buckets, 0.95)]
  return p50 === undefined || p95 === undefined ? undefined : { p50Ms: p50 / 1000, p95Ms: p95 / 1000 }
}

/** The number of requests in a bucket of `LATENCY_BOUNDS_US`. */
interface CountedBucket {
  readonly bucket: number
  readonly requests: number
}

/**
 * Estimates a percentile of the response times in microseconds (`share`: 0 to 1); undefined without requests.
 *
 * Interpolates linearly within the bucket of the exact value: the upper bound could exceed every measured time. The open last
 * bucket gives its lower bound.
 */
export function percentileUs(buckets: readonly CountedBucket[], share: number): number | undefined {
  const total = buckets.reduce((sum, { requests }) => sum + requests, 0)
  let left = Math.max(1, Math.ceil(total * share))
  for (const { bucket, requests } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    if (left <= requests) return within(bucket, (left - 0.5) / requests)
    left -= requests
  }
  return undefined
}

function within(bucket: number, share: number): number {
  const from = bucket === 0 ? 0 : LATENCY_BOUNDS_US[bucket - 1]
  const to = LATENCY_BOUNDS_US[bucket] ?? from
  return from + (to - from) * share
}
