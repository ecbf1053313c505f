import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFoundPage, RouteError } from './layout/error-pages.tsx'
import { routeTree } from './router.tsx'

/** The dashboard's router. Query parameters are plain strings: `?state=MA&limit=25`. */
export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: RouteError,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (values) => {
      const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
      return text && `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
