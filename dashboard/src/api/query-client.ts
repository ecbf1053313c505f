import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/**
 * What was read stays fresh for ten seconds. Tries again what the network or the service failed, never what was refused. When a session has
 * ended, who is signed in is asked anew, and the pages lead to sign-in.
 */
export function makeQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof ApiError) || error.status !== 401) return
        if (query.queryKey[0] !== 'me') client.invalidateQueries({ queryKey: ['me'] })
        else if (query.state.data !== undefined) leaveForSignIn()
      },
    }),
    defaultOptions: { queries: { staleTime: 10_000, retry: mayHelp } },
  })
  return client
}

/** Loads the page anew, so that nothing that the session saw stays in memory. */
function leaveForSignIn(): void {
  const { pathname, search } = window.location
  window.location.assign(`/app/sign-in?${new URLSearchParams({ next: pathname + search })}`)
}

function mayHelp(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !refused && failures < 2
}
