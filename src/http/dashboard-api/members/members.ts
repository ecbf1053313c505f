import { z } from 'zod'
import { DashboardProblem, notFound } from '../../../shared/dashboard-problem.ts'
import type { MemberView } from '../../../shared/shapes.ts'
import type { MemberId } from '../../../store/contracts/organizations.ts'
import { readForm } from '../read-form.ts'
import { type OrganizationVisit, pathPart } from '../visit.ts'

export async function listMembers({
  account,
  organization,
}: OrganizationVisit): Promise<{ members: MemberView[] }> {
  return { members: await account.store.memberships.list(organization.id) }
}

export async function changeRole(visit: OrganizationVisit): Promise<undefined> {
  const { role } = await readForm(visit.request, ROLE)
  const member = await memberOfPath(visit, 'The owner keeps that role until the organization is transferred.')
  if (!(await visit.account.store.memberships.setRole(member, role, visit.actor))) throw notFound('member')
}

export async function removeMember(visit: OrganizationVisit): Promise<undefined> {
  const member = await memberOfPath(visit, 'The owner cannot be removed. Transfer the organization first.')
  if (!(await visit.account.store.memberships.remove(member, visit.actor))) throw notFound('member')
}

export async function leave({
  account,
  organization,
  role,
  session,
  actor,
}: OrganizationVisit): Promise<undefined> {
  if (role === 'owner') {
    const message = `You own ${organization.name}. Transfer it to another member, or delete it.`
    throw new DashboardProblem('conflict', message)
  }
  const member = { organizationId: organization.id, userId: session.userId }
  if (!(await account.store.memberships.remove(member, actor))) throw notFound('organization')
}

/** The member becomes the owner; the owner stays as an admin. */
export async function transfer({
  account,
  organization,
  session,
  actor,
  request,
}: OrganizationVisit): Promise<undefined> {
  const { userId } = await readForm(request, NEW_OWNER)
  if (userId === session.userId) {
    throw new DashboardProblem('conflict', `You own ${organization.name} already.`, { field: 'userId' })
  }
  const member = { organizationId: organization.id, userId }
  if (!(await account.store.memberships.transfer(member, actor))) throw notFound('member')
}

const ROLE = z.strictObject({
  role: z.enum(['admin', 'member'], { error: 'The role must be admin or member.' }),
})

const NEW_OWNER = z.strictObject({ userId: z.string({ error: 'The new owner must be a member.' }).max(100) })

/** Whom the path names. Throws unless it is a member, and with the message given if it is the owner. */
async function memberOfPath(visit: OrganizationVisit, ownerMessage: string): Promise<MemberId> {
  const member = { organizationId: visit.organization.id, userId: pathPart(visit, 'user') }
  const role = await visit.account.store.memberships.find(member.organizationId, member.userId)
  if (role === undefined) throw notFound('member')
  if (role === 'owner') throw new DashboardProblem('conflict', ownerMessage)
  return member
}
