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
        const ended = error instanceof ApiError && error.status === 401
        if (ended && query.queryKey[0] !== 'me') client.invalidateQueries({ queryKey: ['me'] })
      },
    }),
    defaultOptions: { queries: { staleTime: 10_000, retry: mayHelp } },
  })
  return client
}

function mayHelp(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !refused && failures < 2
}
