import { z } from 'zod'
import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import { invalidField } from '../../../shared/dashboard-problem.ts'
import type { UsageView } from '../../../shared/shapes.ts'
import type { UsageFilter } from '../../../store/contracts/keys.ts'
import { getKey } from '../keys/keys.ts'
import { instantMs, readQuery } from '../read-form.ts'
import type { OrganizationVisit } from '../visit.ts'
import { type CountedBucket, percentileUs } from './percentile.ts'

/** The longest time that one answer spans. */
export const USAGE_MS_MAX = 92 * DAY_MS

export async function showUsage(visit: OrganizationVisit): Promise<UsageView> {
  const { usage } = visit.account.store
  const filter = await readFilter(visit)
  const [hours, buckets] = await Promise.all([usage.hours(filter), usage.latencies(filter)])
  const latency = latencyOf(buckets)
  return { hours, ...(latency !== undefined && { latency }) }
}

export async function exportUsage(visit: OrganizationVisit): Promise<Response> {
  const { account, organization } = visit
  const filter = await readFilter(visit)
  const [hours, keys] = await Promise.all([
    account.store.usage.hours(filter),
    account.store.keys.list(organization.id),
  ])
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const lines = hours.map(({ hourMs, keyId, status, requests }) =>
    csvLine([csvTime(hourMs), keyId, names.get(keyId), status, requests]),
  )
  return csvResponse(
    'usage.csv',
    csvLine(['hour', 'key_id', 'key_name', 'status', 'requests']) + lines.join(''),
  )
}

const SPAN = z.strictObject({
  fromMs: instantMs('The beginning'),
  toMs: instantMs('The end'),
  key: z.string().max(100).optional(),
})

/** From the beginning of an hour on. Throws for a key of another organization as for one that does not exist. */
async function readFilter(visit: OrganizationVisit): Promise<UsageFilter> {
  const { fromMs, toMs, key } = readQuery(visit.request, SPAN)
  if (toMs <= fromMs) throw invalidField('The end must lie behind the beginning.', 'toMs')
  if (toMs - fromMs > USAGE_MS_MAX) throw invalidField('The time must be at most 92 days.', 'fromMs')
  const span = { organizationId: visit.organization.id, fromMs: fromMs - (fromMs % HOUR_MS), toMs }
  return key === undefined ? span : { ...span, keyId: (await getKey(visit, key)).id }
}

function latencyOf(buckets: readonly CountedBucket[]): UsageView['latency'] {
  const [p50, p95] = [percentileUs(buckets, 0.5), percentileUs(buckets, 0.95)]
  return p50 === undefined || p95 === undefined ? undefined : { p50Ms: p50 / 1000, p95Ms: p95 / 1000 }
}
