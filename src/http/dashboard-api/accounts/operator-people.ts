import { z } from 'zod'
import type { ResetLink } from '../../../auth/sign-in.ts'
import { notFound } from '../../../shared/dashboard-problem.ts'
import type { AccountView, OperatedOrganization } from '../../../shared/shapes.ts'
import type { Account } from '../../../store/contracts/operators.ts'
import type { AccountContext } from '../context.ts'
import { readQuery, wholeNumber } from '../read-form.ts'
import { pathPart, type Visit } from '../visit.ts'

export async function listOperatedOrganizations({
  account,
}: Visit): Promise<{ organizations: OperatedOrganization[] }> {
  const organizations = await account.store.operators.organizations()
  return {
    organizations: organizations.map(({ organization, ...counts }) => ({ ...organization, ...counts })),
  }
}

export async function listAccounts({
  account,
  request,
}: Visit): Promise<{ accounts: AccountView[]; total: number }> {
  const { search, limit = 25, offset = 0 } = readQuery(request, PAGE)
  const wanted = search === undefined || search === '' ? {} : { search }
  const { accounts, total } = await account.store.operators.accounts({ ...wanted, limit, offset })
  return {
    accounts: accounts.map((person) => ({ ...person, isOperator: isOperator(person, account) })),
    total,
  }
}

/** A link by which the person sets a new password: for whoever cannot be sent a mail. */
export async function makeResetLink(visit: Visit): Promise<ResetLink> {
  const link = await visit.account.signIn.makeResetLink(pathPart(visit, 'user'))
  if (link === undefined) throw notFound('account')
  return link
}

const PAGE = z.strictObject({
  search: z.string().max(200, 'The search must have at most 200 characters.').optional(),
  limit: wholeNumber('The limit', 1, 100).optional(),
  offset: wholeNumber('The offset', 0, Number.MAX_SAFE_INTEGER).optional(),
})

/** By the setup link, or by an address that the configuration names. */
function isOperator(person: Account, { operatorEmails }: AccountContext): boolean {
  return person.isOperator || (person.emailConfirmed && operatorEmails.includes(person.email.toLowerCase()))
}
