import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from './client.ts'
import { clearPendingLink, pendingLink } from './pending-link.ts'
import { safeRedirect } from './safe-redirect.ts'

/** `second-factor`: the password was right, and a code is asked for. */
export type SignInOutcome = 'signed-in' | 'second-factor'

/** Signs in with a password. Throws `ApiError`: 401 if it is wrong, 403 `EMAIL_NOT_VERIFIED` if the address must be confirmed first. */
export async function signInWithPassword(given: { email: string; password: string }): Promise<SignInOutcome> {
  const answer = await api.post<{ twoFactorRedirect?: boolean }>('/auth/sign-in/email', given)
  return answer.twoFactorRedirect ? 'second-factor' : 'signed-in'
}

/** Makes an account, with the invitation that the visitor came with. `confirm-email`: the address must be confirmed first. */
export async function signUp(given: {
  name: string
  email: string
  password: string
}): Promise<'signed-in' | 'confirm-email'> {
  const invitation = pendingLink()?.token
  const answer = await api.post<{ token: string | null }>('/auth/sign-up/email', {
    ...given,
    ...(invitation && { invitation }),
  })
  return answer.token ? 'signed-in' : 'confirm-email'
}

/** Leaves for the provider's own pages; it comes back to `next`, or to the present page with `?error=`. */
export async function leaveForSingleSignOn(next: string): Promise<void> {
  const invitation = pendingLink()?.token
  const { url } = await api.post<{ url: string }>('/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: next,
    errorCallbackURL: window.location.pathname,
    ...(invitation && { additionalData: { invitation } }),
  })
  window.location.assign(url)
}

/**
 * Reads who is signed in anew and goes on: to `next`, to the invitation or setup link that the visitor came with, or to the first page.
 */
export function useFinishSignIn(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (next) => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'options' })
    await router.navigate({ href: safeRedirect(next) ?? pendingLink()?.page ?? '/app', replace: true })
  }
}

/** Ends the session and leads to sign-in. The page is loaded anew, so that nothing of the visitor's stays in memory. */
export function useSignOut(): (how?: { keepLink: boolean }) => Promise<void> {
  return async (how) => {
    await api.post('/auth/sign-out')
    if (!how?.keepLink) clearPendingLink()
    window.location.assign('/app/sign-in')
  }
}
