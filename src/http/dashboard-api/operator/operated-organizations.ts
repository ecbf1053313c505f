import { OPERATED_ORGANIZATION_CONTRACT } from '../../../shared/contract/operated-organizations.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import { keyPosition } from '../../../store/contracts/keys.ts'
import type { CountedOrganization } from '../../../store/contracts/operators.ts'
import { memberPosition } from '../../../store/contracts/organizations.ts'
import type { DashboardContext } from '../context.ts'
import { viewKey } from '../keys/keys.ts'
import { readPage } from '../page.ts'
import { implement } from '../route.ts'
import { readUsage } from '../usage/usage.ts'

export const operatedOrganizationRoutes = implement(OPERATED_ORGANIZATION_CONTRACT, {
  'GET /api/operator/organizations': async ({ context, query }) => {
    const { search = '', order = 'requests', limit = 25, offset = 0 } = query
    const filter = { order, limit, offset, ...(search !== '' && { search }) }
    const { organizations, total } = await context.store.operators.organizations(filter)
    return { organizations: organizations.map(viewCounted), total }
  },

  'GET /api/operator/organizations/:operated': async ({ context, params }) =>
    viewCounted(await getOperated(context, params.operated)),

  'GET /api/operator/organizations/:operated/members': async ({ context, params, query }) => {
    await getOperated(context, params.operated)
    const { memberships, accountActivity } = context.store
    const { rows, next } = await readPage(query, (page) => memberships.list(params.operated, page), memberPosition)
    const signIns = await accountActivity.lastSignIns(rows.map(({ userId }) => userId))
    const members = rows.map((member) => {
      const lastSignInAtMs = signIns.get(member.userId)
      return { ...member, ...(lastSignInAtMs !== undefined && { lastSignInAtMs }) }
    })
    return { members, ...next }
  },

  'GET /api/operator/organizations/:operated/keys': async ({ context, params, query }) => {
    await getOperated(context, params.operated)
    const nowMs = context.now()
    const { rows, next } = await readPage(query, (page) => context.store.keys.list(params.operated, page), keyPosition)
    return { keys: rows.map((key) => viewKey(key, nowMs)), ...next }
  },

  'GET /api/operator/organizations/:operated/usage': async ({ context, params, query }) => {
    const { organization } = await getOperated(context, params.operated)
    return readUsage({ context, organization }, query)
  },

  'POST /api/operator/organizations/:operated/suspend': async ({ context, params, body, actor }) => {
    await getOperated(context, params.operated)
    const keys = await context.store.organizations.suspend(params.operated, body.reason, actor)
    if (keys === undefined) throw conflict('This organization is already suspended.')
    await context.applyKeys(keys)
  },

  'POST /api/operator/organizations/:operated/resume': async ({ context, params, actor }) => {
    await getOperated(context, params.operated)
    const keys = await context.store.organizations.resume(params.operated, actor)
    if (keys === undefined) throw conflict('This organization is not suspended.')
    await context.applyKeys(keys)
  },

  'POST /api/operator/organizations/:operated/transfer': async ({ context, params, body, actor }) => {
    const { organization } = await getOperated(context, params.operated)
    const of = { organizationId: organization.id, userId: body.userId }
    const { memberships } = context.store
    if (await memberships.transfer(of, actor, 'as operator')) return
    if ((await memberships.find(of.organizationId, of.userId)) === undefined) throw notFound('member')
    throw conflict(`This member already owns ${organization.name}.`, 'userId')
  },

  'DELETE /api/operator/organizations/:operated': async ({ context, params, body, actor }) => {
    const { organization } = await getOperated(context, params.operated)
    if (body.name !== organization.name)
      throw invalidField(`Enter the name exactly as shown: ${organization.name}`, 'name')
    const keys = await context.store.organizations.remove(params.operated, actor, 'as operator')
    if (keys === undefined) throw notFound('organization')
    await context.applyKeys(keys)
  },
})

async function getOperated({ store }: DashboardContext, id: string) {
  return orNotFound(await store.operators.organization(id), 'organization')
}

function viewCounted<Counted extends CountedOrganization>({ organization, ...counts }: Counted) {
  return { ...organization, ...counts }
}
