import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { keyPages, keyQuery, limitsQuery, memberPages, meQuery, optionsQuery } from './api/queries.ts'
import { firstSourcesQuery, sourceQuery, sourceSummaryQuery } from './api/source-queries.ts'
import { hasVisited } from './layout/last-organization.ts'

/**
 * Loads the code and the data of the first page at once. Left to itself, each would wait for the one before: the visitor, the
 * service's options, the layout, the page, its data.
 */
export function loadFirstPage(router: AnyRouter): void {
  const { queryClient }: { queryClient: QueryClient } = router.options.context
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(optionsQuery)
  const matches = router.matchRoutes(router.latestLocation)
  for (const { routeId } of matches) {
    const { component } = router.routesById[routeId].options
    void component?.preload?.()
  }
  // A stranger would get a 401 in the browser's log.
  const last = matches.at(-1)
  if (last && hasVisited() && router.latestLocation.searchStr === '')
    PAGE_DATA[last.fullPath]?.(queryClient, last.params)
}

type Prefetch = (client: QueryClient, params: Readonly<Record<string, string>>) => unknown

/** By the path of the route without a query: what depends on a query the page loads itself. */
const PAGE_DATA: Readonly<Record<string, Prefetch>> = {
  '/app/o/$org/keys': (client, { org }) => client.prefetchInfiniteQuery(keyPages(org)),
  '/app/o/$org/keys/$key': (client, { org, key }) => client.prefetchQuery(keyQuery(org, key)),
  '/app/o/$org/members': (client, { org }) => client.prefetchInfiniteQuery(memberPages(org)),
  '/app/o/$org/limits': (client) => client.prefetchQuery(limitsQuery),
  '/app/operator/sources': (client) =>
    Promise.all([client.prefetchQuery(firstSourcesQuery), client.prefetchQuery(sourceSummaryQuery)]),
  '/app/operator/sources/$slug': (client, { slug }) => client.prefetchQuery(sourceQuery(slug)),
}
