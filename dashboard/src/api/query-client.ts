import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/**
 * Data stays fresh for ten seconds. Retries network and server errors, but not 4xx. When a session has
 * ended, refetches the visitor, and redirects to sign-in.
 */
export function makeQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof ApiError) || error.status !== 401) return
        if (query.queryKey[0] !== 'me') client.invalidateQueries({ queryKey: ['me'] })
        else if (query.state.data !== undefined) redirectToSignIn()
      },
    }),
    defaultOptions: { queries: { staleTime: 10_000, retry: shouldRetry } },
  })
  return client
}

/** Reloads, so that no data of the session stays in memory. */
function redirectToSignIn(): void {
  const { pathname, search } = window.location
  window.location.assign(`/app/sign-in?${new URLSearchParams({ next: pathname + search })}`)
}

function shouldRetry(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !refused && failures < 2
}
