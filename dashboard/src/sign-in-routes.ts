import type { QueryClient } from '@tanstack/react-query'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { safeRedirect } from './api/safe-redirect.ts'
import { root, visitor } from './root-route.tsx'

const auth = createRoute({
  getParentRoute: () => root,
  id: 'auth',
  component: lazyRouteComponent(() => import('./layout/AuthLayout.tsx'), 'AuthLayout'),
})
interface Visit {
  readonly context: { readonly queryClient: QueryClient }
  readonly search: { readonly next?: string }
}
const redirectIfSignedIn = async ({ context, search }: Visit) => {
  const me = await visitor(context.queryClient).catch(() => null)
  if (me) throw redirect({ href: safeRedirect(search.next) ?? '/app', replace: true })
}
const signIn = createRoute({
  getParentRoute: () => auth,
  path: '/app/sign-in',
  beforeLoad: redirectIfSignedIn,
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => auth,
  path: '/app/sign-up',
  beforeLoad: redirectIfSignedIn,
  component: lazyRouteComponent(() => import('./pages/sign-in/SignUpPage.tsx'), 'SignUpPage'),
})
const forgotPassword = createRoute({
  getParentRoute: () => auth,
  path: '/app/forgot-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
})
const resetPassword = createRoute({
  getParentRoute: () => auth,
  path: '/app/reset-password',
  component: lazyRouteComponent(() => import('./pages/sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})
const twoFactor = createRoute({
  getParentRoute: () => auth,
  path: '/app/two-factor',
  component: lazyRouteComponent(() => import('./pages/sign-in/TwoFactorPage.tsx'), 'TwoFactorPage'),
})
const confirmEmail = createRoute({
  getParentRoute: () => auth,
  path: '/app/confirm-email',
  component: lazyRouteComponent(() => import('./pages/sign-in/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
})
const invitation = createRoute({
  getParentRoute: () => auth,
  path: '/app/invitation',
  component: lazyRouteComponent(() => import('./pages/sign-in/InvitationPage.tsx'), 'InvitationPage'),
})
const setup = createRoute({
  getParentRoute: () => auth,
  path: '/app/setup',
  component: lazyRouteComponent(() => import('./pages/sign-in/SetupPage.tsx'), 'SetupPage'),
})

/** The pages around signing in, in their own layout. */
export const signInPages = auth.addChildren([
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  twoFactor,
  confirmEmail,
  invitation,
  setup,
])
