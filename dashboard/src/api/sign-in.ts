import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { notifyFailure } from '../components/notify.ts'
import { messageOf } from '../components/states.tsx'
import { callAuth } from './better-auth.ts'
import { ApiError } from './client.ts'
import { clearPendingLink, pendingLink } from './pending-link.ts'
import { safeRedirect } from './safe-redirect.ts'

/** `two-factor`: the password was correct, and a code is required. */
type SignInOutcome = 'signed-in' | 'two-factor'

/** Signs in with a password. Throws `ApiError`: 401 if it is wrong, 403 `EMAIL_NOT_VERIFIED` if the address must be verified first. */
export async function signInWithPassword(given: { email: string; password: string }): Promise<SignInOutcome> {
  const { twoFactorRedirect } = await callAuth('POST /sign-in/email', { body: given })
  return twoFactorRedirect ? 'two-factor' : 'signed-in'
}

/** Creates an account, with the pending invitation. `verify-email`: the address must be verified first. */
export async function signUp(given: {
  name: string
  email: string
  password: string
}): Promise<'signed-in' | 'verify-email'> {
  const invitation = pendingLink()?.token
  const { signedIn } = await callAuth('POST /sign-up/email', { body: { ...given, ...(invitation && { invitation }) } })
  return signedIn ? 'signed-in' : 'verify-email'
}

/**
 * Redirects to the identity provider, which returns to `next`, or to the current page with `?error=`. `again`: the provider is
 * asked to authenticate a visitor who is signed in there.
 */
export async function startSingleSignOn(next: string, { again = false } = {}): Promise<void> {
  const invitation = pendingLink()?.token
  const { url } = await callAuth('POST /sign-in/social', {
    body: {
      provider: 'oidc',
      callbackURL: next,
      errorCallbackURL: pageWithoutError(),
      ...(again && { again }),
      ...(invitation && { additionalData: { invitation } }),
    },
  })
  window.location.assign(url)
}

/** The current page with its query, but without an earlier `?error=`. */
export function pageWithoutError(): string {
  const { pathname, searchParams } = new URL(window.location.href)
  for (const name of ['error', 'error_description']) searchParams.delete(name)
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

/**
 * Refetches the session and navigates to `next`, to the pending invitation or setup link, or to the home page.
 */
export function useFinishSignIn(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (next) => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'options' })
    await router.navigate({ href: safeRedirect(next) ?? pendingLink()?.page ?? '/app', replace: true })
  }
}

/** Ends the session and reloads at sign-in, so that no data stays in memory. A toast says if the session goes on. */
export function useSignOut(): (how?: { keepLink: boolean }) => Promise<void> {
  return async (how) => {
    try {
      await callAuth('POST /sign-out')
    } catch (error) {
      const hasEnded = error instanceof ApiError && error.status === 401
      if (!hasEnded) return notifyFailure(`You're still signed in. ${messageOf(error)}`)
    }
    if (!how?.keepLink) clearPendingLink()
    window.location.assign('/app/sign-in')
  }
}
