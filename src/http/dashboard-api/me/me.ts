import type { Session } from '../../../auth/sign-in.ts'
import { defined } from '../../../lib/optional.ts'
import { ME_CONTRACT, type Me } from '../../../shared/contract/me.ts'
import { conflict, DashboardProblem, invalidField } from '../../../shared/dashboard-problem.ts'
import { originOf } from '../../../store/contracts/audit.ts'
import { viewOwnEntry } from '../audit/audit.ts'
import type { DashboardContext } from '../context.ts'
import { viewOrganization } from '../organizations/organizations.ts'
import { implement } from '../route.ts'

export const meRoutes = implement(ME_CONTRACT, {
  'GET /api/options': ({ context }) => context.signIn.options(),

  'GET /api/me': async ({ context, raw }) => {
    const session = await context.signIn.sessionOf(raw.raw.headers)
    return session === undefined ? null : viewMe(context, session)
  },

  'DELETE /api/me': async ({ context, session, actor, body }) => {
    const result = await context.signIn.deleteAccount(session, body.confirm, originOf(actor))
    if (result.outcome === 'not-confirmed') throw invalidField('Enter your email address exactly as shown.', 'confirm')
    if (result.outcome === 'last-operator')
      throw conflict('You are the last operator of this service. Make another person an operator first.')
    if (result.outcome === 'owner')
      throw conflict(`You own ${result.organizations.join(', ')}. Transfer or delete your organizations first.`)
  },

  'POST /api/setup': async ({ context, session, actor, body }) => {
    const outcome = await context.signIn.claimSetup(body.token, session.userId, originOf(actor))
    if (outcome === 'refused') {
      const message = 'Too many invalid setup links came from your network. Wait 15 minutes, then try again.'
      throw new DashboardProblem('too-many-attempts', message)
    }
    if (outcome === 'wrong-token') {
      const message =
        'This setup link was used, was replaced by a newer one, or has expired. "slots operator link" creates a new link.'
      throw new DashboardProblem('gone', message)
    }
    return viewMe(context, { ...session, operatorRole: 'operator' })
  },
})

async function viewMe(context: DashboardContext, session: Session): Promise<Me> {
  const { userId, name, email, emailVerified, twoFactor, needsSecondFactor, operatorRole } = session
  const [hasPassword, memberships, entries] = await Promise.all([
    context.signIn.hasPassword(userId),
    context.store.memberships.listOfUser(userId),
    context.store.accountActivity.notices(userId),
  ])
  const notices = entries.map((entry) => viewOwnEntry(userId, entry))
  const organizations = memberships.map(({ organization, role }) => viewOrganization(organization, role))
  const user = { userId, name, email, emailVerified, twoFactor, needsSecondFactor, hasPassword }
  return { ...user, ...defined({ operatorRole }), organizations, notices }
}
