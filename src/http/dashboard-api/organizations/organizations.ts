import { z } from 'zod'
import { DashboardProblem, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import { permissionsOf } from '../../../shared/permissions.ts'
import type { OrganizationView } from '../../../shared/shapes.ts'
import type { MemberRole, Organization } from '../../../store/contracts/organizations.ts'
import { NameTaken } from '../../../store/contracts/store.ts'
import { oneLine, readForm } from '../read-form.ts'
import type { OrganizationVisit, Visit } from '../visit.ts'
import { withinLimit } from '../within-limit.ts'

/** How many organizations one person may own. */
export const OWNED_MAX = 20

export async function createOrganization({ account, actor, request }: Visit): Promise<OrganizationView> {
  const { name } = await readForm(request, NAMED)
  const create = () => account.store.organizations.create(name, actor, OWNED_MAX)
  const organization = await withinLimit(
    () => withFreeName(create),
    `You own ${OWNED_MAX} organizations already, which is the most there may be.`,
  )
  return viewOrganization(organization, 'owner')
}

export async function showOrganization({ organization, role }: OrganizationVisit): Promise<OrganizationView> {
  return viewOrganization(organization, role)
}

export async function renameOrganization(visit: OrganizationVisit): Promise<OrganizationView> {
  const { account, organization, role, actor } = visit
  const { name } = await readForm(visit.request, NAMED)
  const renamed = await withFreeName(() => account.store.organizations.rename(organization.id, name, actor))
  if (renamed === undefined) throw notFound('organization')
  return viewOrganization(renamed, role)
}

/** Ends its keys too, on this node at once. */
export async function deleteOrganization({
  account,
  organization,
  actor,
  request,
}: OrganizationVisit): Promise<undefined> {
  const { name } = await readForm(request, NAMED)
  if (name !== organization.name)
    throw invalidField(`Please type its name exactly: ${organization.name}`, 'name')
  const keys = await account.store.organizations.remove(organization.id, actor)
  if (keys === undefined) throw notFound('organization')
  await account.applyKeys(keys)
}

/** As a person sees it who has a role in it. */
export function viewOrganization(
  { id, name, createdAtMs }: Organization,
  role: MemberRole,
): OrganizationView {
  return { id, name, createdAtMs, role, may: permissionsOf(role) }
}

const NAMED = z.strictObject({ name: oneLine('The name', 100) })

async function withFreeName<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (fault) {
    if (!(fault instanceof NameTaken)) throw fault
    throw new DashboardProblem('conflict', 'Another organization has this name. Please choose another.', {
      field: 'name',
    })
  }
}
