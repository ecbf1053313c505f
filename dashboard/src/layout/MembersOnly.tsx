import { Outlet, useParams } from '@tanstack/react-router'
import { useMe } from '../api/session.ts'
import { NotFoundPage } from './problem-pages.tsx'

/** An organization's pages; for whoever is not in it they are not there. */
export function MembersOnly() {
  const { org } = useParams({ strict: false })
  return useMe().organizations.some(({ id }) => id === org) ? <Outlet /> : <NotFoundPage />
}
