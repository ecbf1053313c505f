import { Hono } from 'hono'
import { requireSameOrigin } from '../../auth/same-origin.ts'
import {
  DashboardProblem,
  internalError,
  notFound,
  storeUnavailable,
} from '../../shared/dashboard-problem.ts'
import { StoreUnavailable } from '../../store/contracts/store.ts'
import { seenUnavailability } from '../../store/sql/store-availability.ts'
import type { AccountContext } from './context.ts'
import { type Answer, passGuard } from './guards.ts'
import { ROUTES } from './routes.ts'

/**
 * Everything under `/api`: the routes of the table, and the sign-in library's. Bodies are at most `BODY_BYTES_MAX`, which
 * whoever hands requests over has seen to. No answer is ever to be kept by a cache.
 */
export function accountApp(account: AccountContext): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
  })
  app.all('/api/auth/*', (context) => account.signIn.handle(context.req.raw))
  app.use(requireSameOrigin(account.dashboardUrl))
  addRoutes(app, account)
  app.notFound(() => notFound('page').toResponse())
  app.onError((thrown, { req }) => {
    if (thrown instanceof DashboardProblem) return thrown.toResponse()
    if (thrown instanceof StoreUnavailable || seenUnavailability() !== undefined)
      return storeUnavailable().toResponse()
    account.onFault(thrown, { method: req.method, path: req.path })
    return internalError().toResponse()
  })
  return app
}

function addRoutes(app: Hono, account: AccountContext): void {
  for (const route of ROUTES) {
    app.on(route.method, route.path, async (context) => responseOf(await passGuard(route, context, account)))
  }
  // After all of them: a source may have the slug `check`.
  for (const [path, methods] of methodsByPath()) {
    const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    app.all(path, ({ req }) => {
      const message = `This answers ${allow}: got ${req.method}.`
      return new DashboardProblem('method-not-allowed', message, { headers: { allow } }).toResponse()
    })
  }
}

function responseOf(answer: Answer): Response {
  if (answer === undefined) return new Response(null, { status: 204 })
  return answer instanceof Response ? answer : Response.json(answer)
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of ROUTES) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
