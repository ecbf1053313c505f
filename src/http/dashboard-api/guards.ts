import type { Context } from 'hono'
import { addressOf } from '../../auth/address-block.ts'
import { DashboardProblem, notFound } from '../../shared/dashboard-problem.ts'
import { mayDo, PERMISSIONS, type Permission } from '../../shared/permissions.ts'
import type { AccountContext } from './context.ts'
import { type OpenVisit, type OrganizationVisit, pathPart, type Visit } from './visit.ts'

/** What is answered: JSON, a whole response, or with nothing 204. */
export type Answer = object | undefined

/**
 * What a route asks of whoever calls it, and what answers it then. `session`: to be signed in. `operator`: to run the
 * service. A permission: to belong to the organization that the path names as `:org`, in a role that is allowed to.
 */
export type Guarded =
  | { readonly guard: 'anyone'; readonly answer: (visit: OpenVisit) => Promise<Answer> }
  | { readonly guard: 'session' | 'operator'; readonly answer: (visit: Visit) => Promise<Answer> }
  | { readonly guard: Permission; readonly answer: (visit: OrganizationVisit) => Promise<Answer> }

/** Lets a request through its guard and answers it. Throws `DashboardProblem`. */
export async function passGuard(route: Guarded, context: Context, account: AccountContext): Promise<Answer> {
  const address = addressOf(context.req.raw.headers)
  const open: OpenVisit = { account, request: context.req, address }
  if (route.guard === 'anyone') return route.answer(open)
  const visit = await signedIn(open)
  if (route.guard === 'session') return route.answer(visit)
  if (route.guard === 'operator') return route.answer(asOperator(visit))
  return route.answer(await inOrganization(visit, route.guard))
}

async function signedIn(visit: OpenVisit): Promise<Visit> {
  const { account, address, request } = visit
  const session = await account.signIn.sessionOf(request.raw.headers)
  if (session === undefined) throw new DashboardProblem('session-required', 'Please sign in first.')
  const actor = { userId: session.userId, name: session.email, ...(address !== undefined && { address }) }
  return { ...visit, session, actor }
}

function asOperator(visit: Visit): Visit {
  if (visit.session.isOperator) return visit
  throw new DashboardProblem('forbidden', 'Only the operator of this service may do that.')
}

/** Whoever does not belong to an organization learns nothing of it: not even that it exists. */
async function inOrganization(visit: Visit, permission: Permission): Promise<OrganizationVisit> {
  const id = pathPart(visit, 'org')
  const memberships = await visit.account.store.memberships.listOfUser(visit.session.userId)
  const membership = memberships.find(({ organization }) => organization.id === id)
  if (membership === undefined) throw notFound('organization')
  if (mayDo(membership.role, permission)) return { ...visit, ...membership }
  const message = `Your role in ${membership.organization.name} is ${membership.role}; this needs ${PERMISSIONS[permission]}.`
  throw new DashboardProblem('forbidden', message)
}
