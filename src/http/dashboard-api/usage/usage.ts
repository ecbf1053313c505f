import { csvLine, csvResponse, csvTime } from '../../../lib/csv.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts'
import type { Parsed } from '../../../shared/contract/contract.ts'
import { USAGE_CONTRACT, type UsageView } from '../../../shared/contract/usage.ts'
import { invalidField } from '../../../shared/dashboard-problem.ts'
import { USAGE_DAYS_MAX } from '../../../shared/usage-days.ts'
import type { UsageFilter } from '../../../store/contracts/keys.ts'
import { getKey } from '../keys/keys.ts'
import { logFilterOf } from '../logs/logs.ts'
import { implement, type OrganizationRequest } from '../route.ts'
import { readTopQueries } from './top-queries.ts'

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

  'GET /api/organizations/:org/usage/queries': async (request) => {
    const { context, query } = request
    await usageFilter(request, query)
    return readTopQueries(context.store.requestLog, logFilterOf(request, query))
  },
})

type OfOrganization = Pick<OrganizationRequest, 'context' | 'organization'>
type Span = Parsed<(typeof USAGE_CONTRACT)['GET /api/organizations/:org/usage'], 'query'>

/** The usage of an organization, or of one of its keys. Throws for a key of another one. */
export async function readUsage(request: OfOrganization, query: Span): Promise<UsageView> {
  const { usage, keys } = request.context.store
  const filter = await usageFilter(request, query)
  const [hours, latencies] = await Promise.all([readHours(request, filter), usage.latencies(filter)])
  return { hours, keys: await keys.names(filter.organizationId, keysIn(hours)), latencies }
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
