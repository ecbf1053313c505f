import { Outlet, useParams } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { ForbiddenPage, NotFoundPage } from './error-pages.tsx'

/** An organization's pages; for whoever is not in it they are not there. */
export function MembersOnly() {
  const { org } = useParams({ strict: false })
  return useMe().organizations.some(({ id }) => id === org) ? <Outlet /> : <NotFoundPage />
}

/** The operator's pages, or a word to whoever is not the operator. */
export function OperatorOnly() {
  return useMe().isOperator ? <Outlet /> : <ForbiddenPage />
}
