import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { firstPage } from './layout/last-organization.ts'
import { StartFrame } from './layout/StartFrame.tsx'
import { root, visitor } from './root-route.tsx'
import { signInPages } from './sign-in-routes.ts'

const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  beforeLoad: async ({ context, location }) => {
    const me = await visitor(context.queryClient)
    if (me === null) throw redirect({ to: '/app/sign-in', search: { next: location.href } })
    if (me.needsSecondFactor && location.pathname !== '/app/second-factor') throw redirect({ to: '/app/second-factor' })
    return { me }
  },
  component: Outlet,
  pendingComponent: StartFrame,
  pendingMs: 0,
})
const app = createRoute({
  getParentRoute: () => session,
  path: '/app',
  beforeLoad: ({ context }) => {
    throw redirect({ href: firstPage(context.me), replace: true })
  },
})
const newcomer = createRoute({
  getParentRoute: () => session,
  id: 'newcomer',
  component: lazyRouteComponent(() => import('./layout/AuthLayout.tsx'), 'AuthLayout'),
})
const welcome = createRoute({
  getParentRoute: () => newcomer,
  path: '/app/welcome',
  component: lazyRouteComponent(() => import('./pages/sign-in/WelcomePage.tsx'), 'WelcomePage'),
})

const secondFactor = createRoute({
  getParentRoute: () => newcomer,
  path: '/app/second-factor',
  component: lazyRouteComponent(() => import('./pages/sign-in/SecondFactorPage.tsx'), 'SecondFactorPage'),
})

const shell = createRoute({
  getParentRoute: () => session,
  id: 'shell',
  component: lazyRouteComponent(() => import('./layout/ShellLayout.tsx'), 'ShellLayout'),
})
const account = createRoute({
  getParentRoute: () => shell,
  path: '/app/account',
  component: lazyRouteComponent(() => import('./pages/account/AccountPage.tsx'), 'AccountPage'),
})
const explore = createRoute({
  getParentRoute: () => shell,
  path: '/app/explore',
  // The API's own parameter names; the page validates them.
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  component: lazyRouteComponent(() => import('./pages/explore/ExplorePage.tsx'), 'ExplorePage'),
})

const organization = createRoute({
  getParentRoute: () => shell,
  path: '/app/o/$org',
  component: lazyRouteComponent(() => import('./layout/access-guards.tsx'), 'MembersOnly'),
})
const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/app/o/$org/keys', params, replace: true })
  },
})
const keys = createRoute({
  getParentRoute: () => organization,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/KeysPage.tsx'), 'KeysPage'),
})
const key = createRoute({
  getParentRoute: () => organization,
  path: '/keys/$key',
  component: lazyRouteComponent(() => import('./pages/keys/KeyPage.tsx'), 'KeyPage'),
})
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
})
const subscription = createRoute({
  getParentRoute: () => organization,
  path: '/webhooks/$subscription',
  component: lazyRouteComponent(() => import('./pages/webhooks/SubscriptionPage.tsx'), 'SubscriptionPage'),
})
const usage = createRoute({
  getParentRoute: () => organization,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage/UsagePage.tsx'), 'UsagePage'),
})
const logs = createRoute({
  getParentRoute: () => organization,
  path: '/logs',
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  component: lazyRouteComponent(() => import('./pages/logs/LogsPage.tsx'), 'LogsPage'),
})
/** Its drawer is part of the page of the logs. */
const loggedRequest = createRoute({
  getParentRoute: () => logs,
  path: '/$request',
  component: () => null,
})
const limits = createRoute({
  getParentRoute: () => organization,
  path: '/limits',
  component: lazyRouteComponent(() => import('./pages/organization/LimitsPage.tsx'), 'LimitsPage'),
})
const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/organization/MembersPage.tsx'), 'MembersPage'),
})
const audit = createRoute({
  getParentRoute: () => organization,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/AuditPage.tsx'), 'AuditPage'),
})
const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/organization/SettingsPage.tsx'), 'SettingsPage'),
})

const operator = createRoute({
  getParentRoute: () => shell,
  path: '/app/operator',
  component: lazyRouteComponent(() => import('./layout/access-guards.tsx'), 'OperatorPages'),
})
const operatorOnly = createRoute({
  getParentRoute: () => operator,
  id: 'operator-only',
  component: lazyRouteComponent(() => import('./layout/access-guards.tsx'), 'OperatorOnly'),
})
const operatorHome = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/app/operator/sources', replace: true })
  },
})
const sources = createRoute({
  getParentRoute: () => operator,
  path: '/sources',
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  component: lazyRouteComponent(() => import('./pages/operator/SourcesPage.tsx'), 'SourcesPage'),
})
const source = createRoute({
  getParentRoute: () => operator,
  path: '/sources/$slug',
  component: lazyRouteComponent(() => import('./pages/operator/SourcePage.tsx'), 'SourcePage'),
})
const sourceLog = createRoute({
  getParentRoute: () => operator,
  path: '/source-log',
  component: lazyRouteComponent(() => import('./pages/operator/SourceChangeLogPage.tsx'), 'SourceChangeLogPage'),
})
const importFile = createRoute({
  getParentRoute: () => operatorOnly,
  path: '/import',
  validateSearch: (search: Record<string, unknown>) => search as { slug?: string },
  component: lazyRouteComponent(() => import('./pages/operator/ImportPage.tsx'), 'ImportPage'),
})
const check = createRoute({
  getParentRoute: () => operatorOnly,
  path: '/check',
  validateSearch: (search: Record<string, unknown>) => search as { check?: string; url?: string; source?: string },
  component: lazyRouteComponent(() => import('./pages/operator/CheckPage.tsx'), 'CheckPage'),
})
const organizations = createRoute({
  getParentRoute: () => operator,
  path: '/organizations',
  component: lazyRouteComponent(() => import('./pages/operator/OrganizationsPage.tsx'), 'OrganizationsPage'),
})
const accounts = createRoute({
  getParentRoute: () => operator,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./pages/operator/AccountsPage.tsx'), 'AccountsPage'),
})
const operatedOrganization = createRoute({
  getParentRoute: () => operator,
  path: '/organizations/$id',
  component: lazyRouteComponent(
    () => import('./pages/operator/OperatedOrganizationPage.tsx'),
    'OperatedOrganizationPage',
  ),
})
const operatedAccount = createRoute({
  getParentRoute: () => operator,
  path: '/accounts/$user',
  component: lazyRouteComponent(() => import('./pages/operator/OperatedAccountPage.tsx'), 'OperatedAccountPage'),
})
const operators = createRoute({
  getParentRoute: () => operator,
  path: '/operators',
  component: lazyRouteComponent(() => import('./pages/operator/OperatorsPage.tsx'), 'OperatorsPage'),
})
const serviceAudit = createRoute({
  getParentRoute: () => operator,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/AuditPage.tsx'), 'ServiceAuditPage'),
})
const health = createRoute({
  getParentRoute: () => operator,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/operator/HealthPage.tsx'), 'HealthPage'),
})

/** Every page of the dashboard. Routes below `session` require a signed-in visitor; each page's code loads on first visit. */
export const routeTree = root.addChildren([
  signInPages,
  session.addChildren([
    app,
    newcomer.addChildren([welcome, secondFactor]),
    shell.addChildren([
      account,
      explore,
      organization.addChildren([
        organizationHome,
        keys,
        key,
        webhooks,
        subscription,
        usage,
        logs.addChildren([loggedRequest]),
        limits,
        members,
        audit,
        settings,
      ]),
      operator.addChildren([
        operatorHome,
        sources,
        source,
        sourceLog,
        operatorOnly.addChildren([importFile, check]),
        organizations,
        operatedOrganization,
        accounts,
        operatedAccount,
        operators,
        serviceAudit,
        health,
      ]),
    ]),
  ]),
])
