import { EXPLORE_CONTRACT } from '../../../shared/contract/explore.ts'
import { DashboardProblem, internalDashboardError, invalidField } from '../../../shared/dashboard-problem.ts'
import type { FairCaller } from '../../fair-queue.ts'
import type { NodeQuery } from '../../node-query.ts'
import { implement, type UserRequest } from '../route.ts'

export const exploreRoutes = implement(EXPLORE_CONTRACT, {
  'GET /api/explore/slots': (request) => explore(request, (search, by) => ({ about: 'slots', search, by })),
  'GET /api/explore/days': (request) => explore(request, (search, by) => ({ about: 'days', search, by })),
  'GET /api/explore/suggestions': (request) => explore(request, (search, by) => ({ about: 'suggestions', search, by })),
  'GET /api/explore/facets': (request) =>
    explore(request, (search, by) => ({ about: 'operation', target: `/v1/scheduling/facets?${search}`, by })),
})

/** Returns the index's reply as it is. Throws `DashboardProblem` for an error of `/v1`. */
async function explore(
  { context, raw, session }: UserRequest,
  queryOf: (search: string, by: FairCaller) => NodeQuery,
): Promise<Response> {
  const search = new URL(raw.url).search.slice(1)
  const by = { id: session.userId, organizationId: session.userId }
  const { status, headers, body } = await context.queryNode(queryOf(search, by), raw.raw.signal)
  if (status >= 400) throw problemOf(status, JSON.parse(Buffer.from(body).toString()))
  return new Response(new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}

function problemOf(status: number, error: { message: string; parameter?: string }): DashboardProblem {
  if (status === 400) return invalidField(error.message, error.parameter)
  if (status !== 503) return internalDashboardError()
  return new DashboardProblem('not-ready', error.message, { headers: { 'retry-after': '1' } })
}
