import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { meQuery, optionsQuery } from './api/queries.ts'
import { LazyNotFoundPage, LazyRouteError } from './layout/lazy-error-pages.ts'
import { StartFrame } from './layout/StartFrame.tsx'

/** The signed-in visitor, or null. A stranger may have signed in since. */
export const visitor = async (queryClient: QueryClient) =>
  queryClient.getQueryData(meQuery.queryKey) ?? queryClient.fetchQuery(meQuery)

/** For pages without a layout. */
const withMain = (page: ReactNode) => <main id="main">{page}</main>

/** The route of every page. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: Outlet,
  pendingComponent: StartFrame,
  pendingMs: 0,
  notFoundComponent: () => withMain(<LazyNotFoundPage />),
  errorComponent: (props) => withMain(<LazyRouteError {...props} />),
})
