import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { meQuery } from '../../api/queries.ts'

/** Goes on once the organization of the address is no longer the visitor's: away first, so that no page of it is drawn without it. */
export function useLeavePage(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async () => {
    await router.navigate({ to: '/app/account', replace: true })
    await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    await router.navigate({ to: '/app', replace: true })
  }
}
