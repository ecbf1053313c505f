import { stat } from 'node:fs/promises'
import { type HealthView, OPERATOR_CONTRACT } from '../../../shared/contract/operator.ts'
import { notFound } from '../../../shared/dashboard-problem.ts'
import type { Account } from '../../../store/contracts/operators.ts'
import type { NodeHealth } from '../../node-query.ts'
import type { DashboardContext } from '../context.ts'
import { implement } from '../route.ts'

export const operatorRoutes = implement(OPERATOR_CONTRACT, {
  'GET /api/operator/organizations': async ({ context }) => {
    const organizations = await context.store.operators.organizations()
    return {
      organizations: organizations.map(({ organization, ...counts }) => ({ ...organization, ...counts })),
    }
  },

  'GET /api/operator/accounts': async ({ context, query }) => {
    const { search = '', limit = 25, offset = 0 } = query
    const filter = { limit, offset, ...(search !== '' && { search }) }
    const { accounts, total } = await context.store.operators.accounts(filter)
    return {
      accounts: accounts.map((account) => ({ ...account, isOperator: isOperator(account, context) })),
      total,
    }
  },

  // For users who cannot receive mail.
  'POST /api/operator/accounts/:user/reset-link': async ({ context, params, actor }) => {
    const link = await context.signIn.createResetLink(params.user, actor)
    if (link === undefined) throw notFound('account')
    return link
  },

  'POST /api/operator/accounts/:user/sign-out': async ({ context, params, actor }) => {
    if (!(await context.signIn.signOutEverywhere(params.user, actor))) throw notFound('account')
  },

  'GET /api/operator/health': async ({ context }) => {
    const [node, store] = await Promise.all([nodeHealth(context), storeHealth(context)])
    return { ...node, version: context.version, store, mail: context.mailInvitation !== undefined }
  },

  'GET /api/operator/alerts': async ({ context }) => ({ channels: await context.alerts.list() }),

  'POST /api/operator/alerts/test': async ({ context }) => ({ channels: await context.alerts.test() }),
})

/** Operators used the setup link, or have an address from the configuration. */
function isOperator(account: Account, { operatorEmails }: DashboardContext): boolean {
  const isConfigured = account.emailVerified && operatorEmails.includes(account.email.toLowerCase())
  return account.isOperator || isConfigured
}

async function nodeHealth({ queryNode }: DashboardContext): Promise<NodeHealth> {
  const { status, body } = await queryNode({ about: 'health' })
  if (status !== 200) throw new Error(`Cannot show health: the main thread replied with status ${status}`)
  return JSON.parse(Buffer.from(body).toString())
}

async function storeHealth({ store, databaseUrl }: DashboardContext): Promise<HealthView['store']> {
  const ok = await store.revisionFeed.revisions().then(
    () => true,
    () => false,
  )
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1]
  if (path === undefined) return { kind: 'postgres', ok }
  // The newest writes are in the write-ahead log.
  const sizes = await Promise.all([path, `${path}-wal`].map(bytesOf))
  return { kind: 'sqlite', bytes: sizes[0] + sizes[1], ok }
}

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
