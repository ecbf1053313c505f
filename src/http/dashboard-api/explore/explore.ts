import { csvResponse } from '../../../lib/csv.ts'
import { EXPLORE_CONTRACT } from '../../../shared/contract/explore.ts'
import { DashboardProblem, internalDashboardError, invalidField } from '../../../shared/dashboard-problem.ts'
import type { CityCenter } from '../../../slot-index/offerings/city-centers.ts'
import type { FairCaller } from '../../fair-queue.ts'
import { chooseCoding } from '../../negotiation.ts'
import type { NodeQuery } from '../../node-query.ts'
import type { SerializedResponse } from '../../serialized-http.ts'
import { implement, type UserRequest } from '../route.ts'
import { findPlaces } from './places/find-places.ts'

export const exploreRoutes = implement(EXPLORE_CONTRACT, {
  'GET /api/explore/slots': (request) => explore(request, (search, by) => ({ about: 'slots', search, by })),
  'GET /api/explore/slots.csv': downloadCsv,
  'GET /api/explore/days': (request) => explore(request, (search, by) => ({ about: 'days', search, by })),
  'GET /api/explore/suggestions': (request) => explore(request, (search, by) => ({ about: 'suggestions', search, by })),
  'GET /api/explore/places': (request) => findPlaces(request.query.text, (text) => citiesOf(request, text)),
  'GET /api/explore/facets': (request) =>
    explore(request, (search, by) => ({ about: 'operation', target: `/v1/scheduling/facets?${search}`, by })),
})

/** Returns the index's reply as it is. */
async function explore(
  request: UserRequest,
  queryOf: (search: string, by: FairCaller) => NodeQuery,
): Promise<Response> {
  const search = new URL(request.raw.url).search.slice(1)
  const { status, headers, body } = await askNode(request, (by) => queryOf(search, by))
  return new Response(new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}

/** The slots that match, as `/v1` exports them. */
async function downloadCsv(request: UserRequest): Promise<Response> {
  const search = new URL(request.raw.url).search.slice(1)
  const coding = chooseCoding(request.raw.header('accept-encoding'))
  const { body } = await askNode(request, (by) => ({ about: 'csv', search, coding, by }))
  const response = csvResponse('slots.csv', new Uint8Array(body))
  response.headers.set('vary', 'Accept-Encoding')
  if (coding !== undefined) response.headers.set('content-encoding', coding)
  return response
}

async function citiesOf(request: UserRequest, text: string): Promise<CityCenter[]> {
  const { body } = await askNode(request, (by) => ({ about: 'cities', text, by }))
  return JSON.parse(Buffer.from(body).toString())
}

/** Throws `DashboardProblem` for an error of `/v1`. */
async function askNode(
  { context, raw, session }: UserRequest,
  queryOf: (by: FairCaller) => NodeQuery,
): Promise<SerializedResponse> {
  const by = { id: session.userId, organizationId: session.userId }
  const response = await context.queryNode(queryOf(by), raw.raw.signal)
  if (response.status >= 400) throw problemOf(response.status, JSON.parse(Buffer.from(response.body).toString()))
  return response
}

function problemOf(status: number, error: { message: string; parameter?: string }): DashboardProblem {
  if (status === 400) return invalidField(error.message, error.parameter)
  if (status === 413) return new DashboardProblem('content-too-large', error.message)
  if (status !== 503) return internalDashboardError()
  return new DashboardProblem('not-ready', error.message, { headers: { 'retry-after': '1' } })
}
