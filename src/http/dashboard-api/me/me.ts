import { z } from 'zod'
import { DashboardProblem, invalidField } from '../../../shared/dashboard-problem.ts'
import type { Me, SignInOptions } from '../../../shared/shapes.ts'
import { viewOrganization } from '../organizations/organizations.ts'
import { readForm } from '../read-form.ts'
import type { OpenVisit, Visit } from '../visit.ts'

export async function showOptions({ account }: OpenVisit): Promise<SignInOptions> {
  return account.signIn.options()
}

export async function showMe({ account, session }: Visit): Promise<Me> {
  const { userId, name, email, emailConfirmed, twoFactor, isOperator } = session
  const [hasPassword, memberships] = await Promise.all([
    account.signIn.hasPassword(userId),
    account.store.memberships.listOfUser(userId),
  ])
  const organizations = memberships.map(({ organization, role }) => viewOrganization(organization, role))
  return { userId, name, email, emailConfirmed, twoFactor, hasPassword, isOperator, organizations }
}

/** Refused while the person owns an organization: it would be left without an owner. */
export async function deleteMe({ account, session, request }: Visit): Promise<undefined> {
  const { confirm } = await readForm(request, CONFIRMATION)
  const deletion = await account.signIn.deleteAccount(session, confirm)
  if (deletion.outcome === 'not-confirmed')
    throw invalidField('Please type your e-mail address exactly as it is.', 'confirm')
  if (deletion.outcome === 'not-fresh') {
    throw new DashboardProblem('sign-in-again', 'To delete your account, please sign out and in again first.')
  }
  if (deletion.outcome === 'owner') {
    const message = `You own ${deletion.organizations.join(', ')}. Transfer or delete what you own first.`
    throw new DashboardProblem('conflict', message)
  }
}

/** Makes the person the operator, by the one-time link that the first start prints. */
export async function claimSetup(visit: Visit): Promise<Me> {
  const { account, session, address } = visit
  const { token } = await readForm(visit.request, SETUP)
  const by = { userId: session.userId, ...(address !== undefined && { address }) }
  const outcome = await account.signIn.claimSetup(token, by)
  if (outcome === 'refused') {
    throw new DashboardProblem(
      'too-many-attempts',
      'Too many wrong setup links came from here. Please wait a quarter of an hour.',
    )
  }
  if (outcome === 'wrong-token') {
    const message =
      'This setup link was used, or a newer one was made. The command "operator link" makes another.'
    throw new DashboardProblem('gone', message)
  }
  return showMe({ ...visit, session: { ...session, isOperator: true } })
}

const CONFIRMATION = z.strictObject({
  confirm: z
    .string({ error: 'Please type your e-mail address.' })
    .max(320, 'Please type your e-mail address.'),
})

const SETUP = z.strictObject({
  token: z.string({ error: 'The setup link is not whole.' }).min(1, 'The setup link is not whole.').max(200),
})
