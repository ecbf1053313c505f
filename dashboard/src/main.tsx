import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, lazyRouteComponent, RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { refetchOutdated } from './api/refused-change.ts'
import { loadFirstPage } from './first-page.ts'
import { LazyNotFoundPage, LazyRouteError } from './layout/lazy-error-pages.ts'
import { routeTree } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

const Notifications = lazyRouteComponent(() => import('@mantine/notifications'), 'Notifications')
const queryClient = makeQueryClient()
const router = makeRouter(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('Cannot start the dashboard: app.html must have an element with the id root')

loadFirstPage(router)
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>
          <Notifications position="bottom-right" />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

/**
 * Data stays fresh for ten seconds. Retries network and server errors, but not 4xx. Without a network, requests fail: by default
 * they would wait silently, and a change would be made once the network is back. When a session or a membership may have ended,
 * refetches the visitor.
 */
function makeQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof ApiError)) return
        // An object that somebody else has deleted must not stay on the page as if it were there.
        if (error.status === 404) query.setState({ ...query.state, data: undefined })
        if (query.queryKey[0] === 'me') {
          if (error.status === 401 && query.state.data !== undefined) leaveSession(error)
        } else if ([401, 403, 404].includes(error.status)) {
          client.invalidateQueries({ queryKey: ['me'] })
        }
      },
    }),
    mutationCache: new MutationCache({ onError: (error) => refetchOutdated(client, error) }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: shouldRetry, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

/** The form that the visitor used last. */
let form: Element | null = null
document.addEventListener('focusin', ({ target }) => {
  form = (target as Element).closest('form') ?? form
})

/**
 * Reloads, so that no data of the session stays in memory; then the page redirects to sign-in. A form in use stays, so that nothing is
 * lost: it can be sent after signing in in another tab.
 */
function leaveSession({ code }: ApiError): void {
  if (code !== 'session-required' || !form?.isConnected) window.location.reload()
}

function shouldRetry(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !refused && failures < 2
}

/** The dashboard's router. Query parameters are plain strings: `?state=MA&limit=25`. */
function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // A dialog or form must not stay when the organization, the key or the source changes, such as by Back.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    defaultNotFoundComponent: LazyNotFoundPage,
    defaultErrorComponent: LazyRouteError,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (values) => {
      const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
      return text && `?${text}`
    },
  })
}
