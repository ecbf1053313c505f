import { defined } from '../../../lib/optional.ts'
import {
  type MemberView,
  ORGANIZATION_CONTRACT,
  type OrganizationView,
} from '../../../shared/contract/organizations.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import { type MemberRole, mayDo, permissionsOf } from '../../../shared/permissions.ts'
import {
  type Member,
  type MemberId,
  memberPosition,
  type Organization,
} from '../../../store/contracts/organizations.ts'
import { NameTaken, type Store } from '../../../store/contracts/store.ts'
import { readPage } from '../page.ts'
import { implement, lacksSecondFactor, type OrganizationRequest, withinLimit } from '../route.ts'

/** How many organizations one person may own. */
export const OWNED_MAX = 20

const LOCKED_OUT_SHOWN = 10

export const organizationRoutes = implement(ORGANIZATION_CONTRACT, {
  'POST /api/organizations': async ({ context, actor, body }) => {
    const create = () => context.store.organizations.create(body.name, actor, OWNED_MAX)
    const organization = await withinLimit(
      () => withFreeName(create),
      `You own ${OWNED_MAX} organizations, which is the limit. Delete one first.`,
    )
    return viewOrganization(organization, 'owner')
  },

  'GET /api/organizations/:org': async ({ organization, role }) => viewOrganization(organization, role),

  'PATCH /api/organizations/:org': async ({ context, organization, role, actor, body }) => {
    const { organizations } = context.store
    const renamed = await withFreeName(() => organizations.rename(organization.id, body.name, actor))
    if (renamed === undefined) throw notFound('organization')
    return viewOrganization(renamed, role)
  },

  'GET /api/organizations/:org/second-factor': async ({ context, organization }) => {
    const { members, total } = await context.store.memberships.withoutSecondFactor(organization.id, LOCKED_OUT_SHOWN)
    return { without: members.map(({ userId, name, email }) => ({ userId, name, email })), total }
  },

  'POST /api/organizations/:org/second-factor': async (request) => {
    const { context, organization, role, actor, body } = request
    if (body.required && (await lacksSecondFactor(request)))
      throw conflict('Set up two-factor authentication for your own account first.')
    const changed = await context.store.organizations.setSecondFactor(organization.id, body.required, actor)
    if (changed === undefined) throw notFound('organization')
    return viewOrganization(changed, role)
  },

  'DELETE /api/organizations/:org': async ({ context, organization, actor, body }) => {
    if (body.name !== organization.name)
      throw invalidField(`Enter the name exactly as shown: ${organization.name}`, 'name')
    const keys = orNotFound(await context.store.organizations.remove(organization.id, actor), 'organization')
    await context.applyKeys(keys)
  },

  // The previous owner becomes an admin.
  'POST /api/organizations/:org/transfer': async ({ context, organization, session, actor, body }) => {
    if (body.userId === session.userId) throw conflict(`You already own ${organization.name}.`, 'userId')
    const member = { organizationId: organization.id, userId: body.userId }
    const isDone = await withinLimit(
      () => context.store.memberships.transfer(member, actor, OWNED_MAX),
      `This member owns ${OWNED_MAX} organizations, which is the limit. Choose another one.`,
    )
    if (!isDone) throw notFound('member')
  },

  'POST /api/organizations/:org/leave': async ({ context, organization, role, session, actor }) => {
    if (role === 'owner') throw conflict(`You own ${organization.name}. Transfer it to another member, or delete it.`)
    const member = { organizationId: organization.id, userId: session.userId }
    if (!(await context.store.memberships.remove(member, actor))) throw notFound('organization')
  },

  'GET /api/organizations/:org/members': async ({ context, organization, role, query }) => {
    const { memberships } = context.store
    const { rows, next } = await readPage(query, (page) => memberships.list(organization.id, page), memberPosition)
    const members = mayDo(role, 'audit.read') ? await withSignIns(context.store, rows) : [...rows]
    return { members, ...next }
  },

  'PATCH /api/organizations/:org/members/:user': async (request) => {
    const { context, actor, body, params } = request
    const member = await getMember(request, params.user, 'The owner keeps this role until a transfer.')
    if (!(await context.store.memberships.setRole(member, body.role, actor))) throw notFound('member')
  },

  'DELETE /api/organizations/:org/members/:user': async (request) => {
    const { context, actor, params } = request
    const message = 'The owner cannot be removed. Transfer the organization first.'
    const member = await getMember(request, params.user, message)
    if (!(await context.store.memberships.remove(member, actor))) throw notFound('member')
  },
})

/** An organization as a member with this role sees it. */
export function viewOrganization(organization: Organization, role: MemberRole): OrganizationView {
  const { id, name, createdAtMs, requiresSecondFactor = false, suspension } = organization
  const may = permissionsOf(role, suspension !== undefined)
  return { id, name, createdAtMs, role, requiresSecondFactor, ...defined({ suspension }), may }
}

/** The audit log shows admins when members sign in, so they see it here as well. */
async function withSignIns({ accountActivity }: Store, members: readonly Member[]): Promise<MemberView[]> {
  const ids = members.map(({ userId }) => userId)
  const [factors, signIns] = await Promise.all([accountActivity.secondFactors(ids), accountActivity.lastSignIns(ids)])
  return members.map((member) => ({
    ...member,
    ...defined({ secondFactor: factors.get(member.userId), lastSignInAtMs: signIns.get(member.userId) }),
  }))
}

async function withFreeName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error
    throw conflict('This name is taken. Choose another one.', 'name')
  }
}

/** Throws for a non-member, and with the message for the owner. */
async function getMember(
  { context, organization }: OrganizationRequest,
  userId: string,
  ownerMessage: string,
): Promise<MemberId> {
  const member = { organizationId: organization.id, userId }
  const role = orNotFound(await context.store.memberships.find(organization.id, userId), 'member')
  if (role === 'owner') throw conflict(ownerMessage)
  return member
}
