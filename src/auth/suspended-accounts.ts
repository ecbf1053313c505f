import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { AuthRequest } from './auth-request.ts'
import type { GuardContext } from './guards.ts'

/** The `error` of the sign-in page for a suspended account. */
const SUSPENDED_ERROR = 'account_suspended'

/**
 * Ends the session that a response starts for a suspended account, and responds with the reason: the person has proved their
 * identity by then. The callback of single sign-on redirects to the sign-in page, which shows it.
 */
export async function refuseSuspended(
  request: AuthRequest,
  response: Response,
  { sessions }: Pick<GuardContext, 'sessions'>,
): Promise<Response> {
  const refused = await sessions.suspendedStart(response)
  if (refused === undefined) return response
  const { suspension } = refused
  await sessions.withoutSession(response)
  if (request.method === 'GET') {
    const parameters = new URLSearchParams({ error: SUSPENDED_ERROR, error_description: suspension.reason })
    return new Response(null, { status: 302, headers: { location: `/app/sign-in?${parameters}` } })
  }
  const message = `This account is suspended. Reason: ${suspension.reason}. Contact the operator of this service.`
  return new DashboardProblem('account-suspended', message).toResponse()
}
