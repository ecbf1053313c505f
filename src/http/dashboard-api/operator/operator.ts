import { stat } from 'node:fs/promises'
import { type HealthView, OPERATOR_CONTRACT, type OperatorView } from '../../../shared/contract/operator.ts'
import { conflict, invalidField, notFound } from '../../../shared/dashboard-problem.ts'
import type { Account, OperatorChange, OperatorOutcome } from '../../../store/contracts/operators.ts'
import type { NodeHealth } from '../../node-query.ts'
import type { DashboardContext } from '../context.ts'
import { implement, type UserRequest } from '../route.ts'

export const operatorRoutes = implement(OPERATOR_CONTRACT, {
  'GET /api/operator/operators': async ({ context }) => ({ operators: await listOperators(context) }),

  'POST /api/operator/operators': async ({ context, body, actor }) => {
    const [account] = await context.store.operators.accountsByEmail([body.email.toLowerCase()])
    if (account === undefined) {
      const message = 'No account has this address. Ask the person to sign up first, or give them a setup link.'
      throw invalidField(message, 'email')
    }
    if (!account.emailVerified)
      throw conflict(
        `The address of this account is not verified. Verify it with "account verify ${account.email}".`,
        'email',
      )
    if (account.suspension !== undefined) throw conflict('This account is suspended. Resume it first.', 'email')
    const isNew = !isConfigured(account, context)
    if (isNew && (await context.store.operators.add(account.userId, { role: body.role, by: actor }))) return
    throw conflict('This person already has a role.', 'email')
  },

  'PATCH /api/operator/operators/:user': async (request) => {
    const { context, params, body } = request
    const change = await changeOf(request, params.user)
    checkOutcome(await context.store.operators.setRole(params.user, body.role, change))
  },

  'DELETE /api/operator/operators/:user': async (request) => {
    const { context, params } = request
    const change = await changeOf(request, params.user)
    checkOutcome(await context.store.operators.remove(params.user, change))
  },

  'GET /api/operator/health': async ({ context }) => {
    const [node, store] = await Promise.all([nodeHealth(context), storeHealth(context)])
    return { ...node, version: context.version, store, mail: context.mailInvitation !== undefined }
  },

  'GET /api/operator/alerts': async ({ context }) => ({ channels: await context.alerts.list() }),

  'POST /api/operator/alerts/test': async ({ context }) => ({ channels: await context.alerts.test() }),
})

/** An account with an address from the configuration is an operator, whatever role it was given. */
export function isConfigured({ email, emailVerified }: Account, { operatorEmails }: DashboardContext): boolean {
  return emailVerified && operatorEmails.includes(email)
}

/** Operators and viewers by email address. */
async function listOperators(context: DashboardContext): Promise<OperatorView[]> {
  const { operators } = context.store
  const given = (await operators.list()).map((each): OperatorView => each)
  const configured = await operators.accountsByEmail(context.operatorEmails)
  const others = configured.filter((account) => isConfigured(account, context))
  const ids = new Set(others.map(({ userId }) => userId))
  return [
    ...given.filter(({ userId }) => !ids.has(userId)),
    ...others.map(({ userId, name, email }): OperatorView => ({ userId, name, email, role: 'operator' })),
  ].sort((a, b) => (a.email < b.email ? -1 : 1))
}

/** The options of a change. Throws for operators of the configuration. */
async function changeOf({ context, actor }: UserRequest, userId: string): Promise<OperatorChange> {
  const found = (await listOperators(context)).find((each) => each.userId === userId)
  if (found === undefined) throw notFound('operator')
  if (found.addedAtMs === undefined)
    throw conflict(`OPERATOR_EMAILS contains ${found.email}. Remove it there and restart the service.`)
  return { allowNone: context.operatorEmails.length > 0, by: actor }
}

function checkOutcome(outcome: OperatorOutcome): void {
  if (outcome === 'not-operator') throw notFound('operator')
  if (outcome === 'done') return
  throw conflict('This is the last operator. Make another person an operator first.')
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
