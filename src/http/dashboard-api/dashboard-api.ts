import { Hono } from 'hono'
import { requireSameOrigin } from '../../auth/same-origin.ts'
import { KeyedSemaphore } from '../../lib/concurrency.ts'
import {
  DashboardProblem,
  internalDashboardError,
  notFound,
  organizationSuspended,
  storeUnavailable,
} from '../../shared/dashboard-problem.ts'
import { RoleRequired, StoreUnavailable, Suspended } from '../../store/contracts/store.ts'
import { seenUnavailability } from '../../store/sql/store-availability.ts'
import { auditRoutes } from './audit/audit.ts'
import type { DashboardContext } from './context.ts'
import { exploreRoutes } from './explore/explore.ts'
import { feedCheckRoutes } from './feed-checks/feed-checks.ts'
import { importRoutes } from './imports/imports.ts'
import { invitationRoutes } from './invitations/invitations.ts'
import { keyRoutes } from './keys/keys.ts'
import { limitRoutes } from './limits/limits.ts'
import { logRoutes } from './logs/logs.ts'
import { meRoutes } from './me/me.ts'
import { operatedAccountRoutes } from './operator/operated-accounts.ts'
import { operatedOrganizationRoutes } from './operator/operated-organizations.ts'
import { operatorRoutes } from './operator/operator.ts'
import { organizationRoutes } from './organizations/organizations.ts'
import { type Route, respond, USER_READS_MAX } from './route.ts'
import { sourceListRoutes } from './sources/source-lists.ts'
import { sourceRoutes } from './sources/sources.ts'
import { subscriptionRoutes } from './subscriptions/subscriptions.ts'
import { usageRoutes } from './usage/usage.ts'

/** Every route, except those of better-auth. A GET route answers HEAD as well. */
export const ROUTES: readonly Route[] = [
  ...meRoutes,
  ...limitRoutes,
  ...organizationRoutes,
  ...invitationRoutes,
  ...keyRoutes,
  ...subscriptionRoutes,
  ...usageRoutes,
  ...logRoutes,
  ...auditRoutes,
  ...exploreRoutes,
  ...sourceRoutes,
  ...sourceListRoutes,
  ...importRoutes,
  ...feedCheckRoutes,
  ...operatedOrganizationRoutes,
  ...operatedAccountRoutes,
  ...operatorRoutes,
]

/** Everything under `/api`. The caller limits bodies to `BODY_BYTES_MAX`. */
export function dashboardApi(context: DashboardContext): Hono {
  const app = new Hono()
  app.use(async (honoContext, next) => {
    await next()
    honoContext.header('cache-control', 'no-store')
  })
  app.all('/api/auth/*', ({ req }) => context.signIn.handle(req.raw))
  app.use(requireSameOrigin(context.dashboardUrl))
  const reads = new KeyedSemaphore(USER_READS_MAX)
  for (const route of ROUTES) app.on(route.method, route.path, ({ req }) => respond(route, req, { context, reads }))
  // After all routes: a source may have the slug `check`.
  for (const [path, methods] of methodsByPath()) app.all(path, ({ req }) => methodNotAllowed(req.method, methods))
  app.notFound(() => notFound('page').toResponse())
  app.onError((error, { req }) => {
    if (error instanceof DashboardProblem) return error.toResponse()
    if (error instanceof StoreUnavailable || seenUnavailability() !== undefined) return storeUnavailable().toResponse()
    if (error instanceof RoleRequired) return roleChanged().toResponse()
    if (error instanceof Suspended) return organizationSuspended().toResponse()
    context.onError(error, { method: req.method, path: req.path })
    return internalDashboardError().toResponse()
  })
  return app
}

/** The role changed between the authorization of the request and its transaction. */
function roleChanged(): DashboardProblem {
  return new DashboardProblem('forbidden', 'Your role in this organization has just changed. Reload the page.')
}

function methodNotAllowed(method: string, methods: readonly string[]): Response {
  const allow = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ')
  const message = `This path allows ${allow}: got ${method}.`
  return new DashboardProblem('method-not-allowed', message, { headers: { allow } }).toResponse()
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of ROUTES) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
