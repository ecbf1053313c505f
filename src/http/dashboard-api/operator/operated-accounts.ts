import { OPERATED_ACCOUNT_CONTRACT } from '../../../shared/contract/operated-accounts.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../../shared/dashboard-problem.ts'
import type { AccountDetails } from '../../../store/contracts/accounts.ts'
import type { Account } from '../../../store/contracts/operators.ts'
import type { AccountRemoval } from '../../../store/contracts/organizations.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'
import { isConfigured } from './operator.ts'

export const operatedAccountRoutes = implement(OPERATED_ACCOUNT_CONTRACT, {
  'GET /api/operator/accounts': async ({ context, query }) => {
    const { search = '', limit = 25, offset = 0 } = query
    const filter = { limit, offset, ...(search !== '' && { search }) }
    const { accounts, total } = await context.store.operators.accounts(filter)
    return { accounts: accounts.map((account) => viewAccount(account, context)), total }
  },

  'GET /api/operator/accounts/:user': async ({ context, params }) => {
    const { account, memberships, ...rest } = await getAccount(context, params.user)
    return {
      account: viewAccount(account, context),
      memberships: memberships.map(({ organization: { id, name, suspension }, role }) => ({
        id,
        name,
        role,
        ...(suspension && { suspension }),
      })),
      ...rest,
    }
  },

  // For users who cannot receive mail.
  'POST /api/operator/accounts/:user/reset-link': async ({ context, params, actor }) => {
    return orNotFound(await context.signIn.createResetLink(params.user, actor), 'account')
  },

  'POST /api/operator/accounts/:user/end-sessions': async ({ context, params, actor }) => {
    if (!(await context.signIn.signOutEverywhere(params.user, actor))) throw notFound('account')
  },

  'POST /api/operator/accounts/:user/suspend': async ({ context, params, body, actor }) => {
    const { account } = await getAccount(context, params.user)
    const outcome = isConfigured(account, context)
      ? 'operator'
      : await context.store.accounts.suspend(params.user, body.reason, actor)
    if (outcome === 'not-found') throw notFound('account')
    if (outcome === 'already') throw conflict('This account is already suspended.')
    if (outcome === 'operator')
      throw conflict('This person is an operator or a viewer of this service. Remove the role first.')
    await context.signIn.notifyOwner({ kind: 'account.suspended', userId: params.user, by: actor })
  },

  'POST /api/operator/accounts/:user/resume': async ({ context, params, actor }) => {
    await getAccount(context, params.user)
    if (!(await context.store.accounts.resume(params.user, actor))) throw conflict('This account is not suspended.')
    await context.signIn.notifyOwner({ kind: 'account.resumed', userId: params.user, by: actor })
  },

  'POST /api/operator/accounts/:user/reset-second-factor': async ({ context, params, actor }) => {
    await getAccount(context, params.user)
    if (!(await context.store.accounts.resetSecondFactor(params.user, actor)))
      throw conflict('This account has no two-factor authentication.')
    await context.signIn.notifyOwner({ kind: 'account.second-factor-removed', userId: params.user, by: actor })
  },

  'POST /api/operator/accounts/:user/verify-email': async ({ context, params, body, actor }) => {
    const { account } = await getAccount(context, params.user)
    if (account.emailVerified) throw conflict('The address of this account is already verified.')
    if (!(await context.store.accounts.verifyEmail(params.user, body.email, actor)))
      throw conflict('The address of this account has changed. Reload the page.')
    await context.signIn.notifyOwner({ kind: 'account.email-verified', userId: params.user, by: actor })
  },

  'DELETE /api/operator/accounts/:user': async ({ context, params, body, actor }) => {
    const { account } = await getAccount(context, params.user)
    if (body.confirm.trim().toLowerCase() !== account.email)
      throw invalidField(`Enter the address exactly as shown: ${account.email}`, 'confirm')
    const allowNone = context.operatorEmails.length > 0
    checkRemoval(await context.store.memberships.removeAccount(params.user, { by: actor, allowNone }))
    const { email } = account
    await context.signIn.notifyOwner({ kind: 'account.deleted', userId: params.user, by: actor, email })
  },
})

const CONFIGURED = { operatorRole: 'operator' } as const

function viewAccount(account: Account, context: DashboardContext): Account {
  return { ...account, ...(isConfigured(account, context) && CONFIGURED) }
}

async function getAccount({ store }: DashboardContext, userId: string): Promise<AccountDetails> {
  return orNotFound(await store.accounts.find(userId), 'account')
}

function checkRemoval(removal: AccountRemoval): void {
  if (removal.outcome === 'owner')
    throw conflict(
      `This person owns ${removal.organizations.join(', ')}. The owner must transfer these organizations, or you delete them first.`,
    )
  if (removal.outcome === 'last-operator')
    throw conflict('This is the last operator. Make another person an operator first.')
}
