import { lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router'
import { useIsOperator, useMe } from '../api/session.ts'
import { ForbiddenPage, NotFoundPage } from './error-pages.tsx'

const OrganizationSecondFactorPage = lazyRouteComponent(
  () => import('../pages/organization/OrganizationSecondFactorPage.tsx'),
  'OrganizationSecondFactorPage',
)

/** The pages of an organization. Everyone else gets the not-found page. */
export function MembersOnly() {
  const { org } = useParams({ strict: false })
  const me = useMe()
  const organization = me.organizations.find(({ id }) => id === org)
  if (!organization) return <NotFoundPage />
  const lacksSecondFactor = organization.requiresSecondFactor && me.hasPassword && !me.twoFactor
  return lacksSecondFactor ? <OrganizationSecondFactorPage /> : <Outlet />
}

/** The pages of operators and viewers. Everyone else gets the forbidden page. */
export function OperatorPages() {
  return useMe().operatorRole ? <Outlet /> : <ForbiddenPage />
}

/** Pages that only change something: viewers get the forbidden page, too. */
export function OperatorOnly() {
  return useIsOperator() ? <Outlet /> : <ForbiddenPage />
}
