import { lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsOperator, useMe } from '../api/session.ts'
import { OperatorContact } from '../components/operator.tsx'
import { SuspensionNotice } from '../components/SuspensionNotice.tsx'
import { ForbiddenPage, NotFoundPage } from './error-pages.tsx'

const OrganizationSecondFactorPage = lazyRouteComponent(
  () => import('../pages/organization/OrganizationSecondFactorPage.tsx'),
  'OrganizationSecondFactorPage',
)

/** The pages of an organization. Everyone else gets the not-found page. */
export function MembersOnly() {
  const { org } = useParams({ strict: false })
  const me = useMe()
  const [isSettingUp, setUp] = useState(false)
  const organization = me.organizations.find(({ id }) => id === org)
  if (!organization) return <NotFoundPage />
  const lacksSecondFactor = organization.requiresSecondFactor && me.hasPassword && !me.twoFactor
  // The factor is on before its backup codes are saved.
  if (lacksSecondFactor || isSettingUp)
    return <OrganizationSecondFactorPage isSettingUp={isSettingUp} onSetUp={setUp} />
  return (
    <>
      {organization.suspension && (
        <SuspensionNotice title="This organization is suspended" suspension={organization.suspension}>
          Requests with its API keys are refused. You can read everything, revoke keys and leave. Questions? Contact{' '}
          <OperatorContact />.
        </SuspensionNotice>
      )}
      <Outlet />
    </>
  )
}

/** The pages of operators and viewers. Everyone else gets the forbidden page. */
export function OperatorPages() {
  return useMe().operatorRole ? <Outlet /> : <ForbiddenPage />
}

/** Pages that only change something: viewers get the forbidden page, too. */
export function OperatorOnly() {
  return useIsOperator() ? <Outlet /> : <ForbiddenPage />
}
