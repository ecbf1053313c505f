import { useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'

/** Ends the session and leads to sign-in. The page is loaded anew, so that nothing of the visitor's stays in memory. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await api.post('/auth/sign-out')
    queryClient.clear()
    window.location.assign('/app/sign-in')
  }
}
