import { Outlet, useParams } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { ForbiddenPage, NotFoundPage } from './error-pages.tsx'

/** The pages of an organization. Everyone else gets the not-found page. */
export function MembersOnly() {
  const { org } = useParams({ strict: false })
  return useMe().organizations.some(({ id }) => id === org) ? <Outlet /> : <NotFoundPage />
}

/** The operator's pages. Everyone else gets the forbidden page. */
export function OperatorOnly() {
  return useMe().isOperator ? <Outlet /> : <ForbiddenPage />
}
