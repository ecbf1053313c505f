import type { HonoRequest } from 'hono'
import { addressOf } from '../../auth/address-block.ts'
import type { Access } from '../../shared/contract/operation.ts'
import { DashboardProblem, notFound } from '../../shared/dashboard-problem.ts'
import { mayDo, PERMISSIONS, type Permission } from '../../shared/permissions.ts'
import type { DashboardContext } from './context.ts'
import type { OpenRequest, OrganizationRequest, UserRequest } from './route.ts'

/** Checks that the caller may use an operation. Throws `DashboardProblem`. */
export async function authorize(access: Access, raw: HonoRequest, context: DashboardContext): Promise<OpenRequest> {
  const open = { context, raw, address: addressOf(raw.raw.headers) }
  if (access === 'anyone') return open
  const request = await signedIn(open)
  if (access === 'session') return request
  return access === 'operator' ? asOperator(request) : inOrganization(request, access)
}

async function signedIn(request: OpenRequest): Promise<UserRequest> {
  const { context, address, raw } = request
  const session = await context.signIn.sessionOf(raw.raw.headers)
  if (session === undefined) throw new DashboardProblem('session-required', 'Sign in first.')
  const actor = { userId: session.userId, name: session.email, ...(address !== undefined && { address }) }
  return { ...request, session, actor }
}

function asOperator(request: UserRequest): UserRequest {
  if (request.session.isOperator) return request
  throw new DashboardProblem('forbidden', 'Only the operator of this service can do this.')
}

/** Non-members get 404, so that they cannot find out which organizations exist. */
async function inOrganization(request: UserRequest, permission: Permission): Promise<OrganizationRequest> {
  const id = request.raw.param('org')
  const memberships = await request.context.store.memberships.listOfUser(request.session.userId)
  const membership = memberships.find(({ organization }) => organization.id === id)
  if (membership === undefined) throw notFound('organization')
  if (mayDo(membership.role, permission)) return { ...request, ...membership }
  const { organization, role } = membership
  const message = `Your role in ${organization.name} is ${role}; this needs ${PERMISSIONS[permission]}.`
  throw new DashboardProblem('forbidden', message)
}
