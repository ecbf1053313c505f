import { DashboardProblem, internalError, invalidField } from '../../../shared/dashboard-problem.ts'
import type { SerializedResponse } from '../../serialized-http.ts'
import type { Visit } from '../visit.ts'

/** Slots as `/v1` serves them, without an API key. */
export async function exploreSlots({ account, request }: Visit): Promise<Response> {
  return responseOf(await account.ask({ about: 'slots', search: searchOf(request.url) }))
}

/** Open slots by day and state. */
export async function exploreDays({ account, request }: Visit): Promise<Response> {
  return responseOf(await account.ask({ about: 'days', search: searchOf(request.url) }))
}

function searchOf(url: string): string {
  return new URL(url).search.slice(1)
}

/** Throws `DashboardProblem` for an error of `/v1`. */
function responseOf({ status, headers, body }: SerializedResponse): Response {
  if (status >= 400) throw problemOf(status, JSON.parse(Buffer.from(body).toString()))
  return new Response(new Uint8Array(body), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  })
}

function problemOf(status: number, error: { message: string; parameter?: string }): DashboardProblem {
  if (status === 400) return invalidField(error.message, error.parameter)
  if (status !== 503) return internalError()
  return new DashboardProblem('not-ready', error.message, { headers: { 'retry-after': '1' } })
}
