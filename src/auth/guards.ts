import { setTimeout as sleep } from 'node:timers/promises'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { AuthEmails } from './auth-emails.ts'
import { type AuthRequest, type Guard, type Next, textOf } from './auth-request.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import { isOperatorToken, readVerificationToken, type VerificationClaims } from './link-tokens.ts'
import type { SessionReader } from './session-reader.ts'
import { RECENT_SIGN_IN_MS } from './sign-in.ts'
import type { SignInLog } from './sign-in-log.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

export interface GuardOptions {
  readonly holder: BetterAuthHolder
  readonly sessions: SessionReader
  readonly failedAttempts: FailedAttempts
  readonly log: SignInLog
  readonly policy: SignUpPolicy
  /** Absent without a mail server. */
  readonly emails: AuthEmails | undefined
  readonly now: () => number
}

/** Records a sign-in in the audit logs of the user's organizations. */
export function recordSignIn({ sessions, log }: GuardOptions, method: string): Guard {
  return async (request, next) => {
    const before = await sessions.sessionOf(request.headers)
    const response = await next(request)
    const session = await sessions.sessionStartedBy(response)
    // Enabling a second factor replaces the session of the same user, which is not a sign-in.
    if (session !== undefined && session.userId !== before?.userId) {
      log.succeeded(session, method, request.address)
    }
    return response
  }
}

/** Requires a sign-in within `RECENT_SIGN_IN_MS`, for changes that could give another person lasting access. */
export function requireRecentSignIn({ sessions, now }: GuardOptions): Guard {
  return async (request, next) => {
    const session = await sessions.sessionOf(request.headers)
    if (session === undefined || now() - session.createdAtMs < RECENT_SIGN_IN_MS) return next(request)
    const message = 'This requires a recent sign-in. Sign out, sign in again, then retry.'
    return new DashboardProblem('sign-in-again', message).toResponse()
  }
}

/** Discovers the OpenID provider before better-auth redirects to it. */
export function requireProvider({ holder }: GuardOptions): Guard {
  return async (request, next) => {
    if (await holder.findProvider()) return next(request)
    const message = 'The single sign-on provider is unavailable. Try again in a moment.'
    return new DashboardProblem('provider-unavailable', message, {
      headers: { 'retry-after': '5' },
    }).toResponse()
  }
}

/** Removes all other fields from the body. */
export function allowFields(...fields: readonly string[]): Guard {
  return async (request, next) => {
    const body = Object.fromEntries(Object.entries(request.body).filter(([name]) => fields.includes(name)))
    return next({ ...request, body })
  }
}

/** Applies the sign-up policy to a sign-up by password. */
export function checkPolicy({ policy, emails }: GuardOptions): Guard {
  return async (request, next) => {
    const { invitation: _, ...body } = request.body
    const message = await policy.refusal({
      email: textOf(request, 'email') ?? '',
      proof: emails === undefined ? 'none' : 'mail',
      invitation: textOf(request, 'invitation'),
    })
    if (message !== undefined) return new DashboardProblem('sign-up-refused', message).toResponse()
    return next({ ...request, body })
  }
}

/** Rejects a new email address that the sign-up policy does not allow. */
export function checkNewEmail({ policy }: GuardOptions): Guard {
  return async (request, next) => {
    const message = policy.addressRefusal(textOf(request, 'newEmail') ?? '')
    return message === undefined ? next(request) : new DashboardProblem('address-refused', message).toResponse()
  }
}

/** Responses take at least this long where they must not reveal whether an account exists. Hashing a password takes less. */
const RESPONSE_MS = 500

/**
 * Constant-time response: where the result is sent by email and not in the response, the duration must not reveal it.
 * Without a mail server, the response itself states the result.
 */
export function constantTimeResponse({ emails }: GuardOptions): Guard {
  return async (request, next) => {
    if (emails === undefined) return next(request)
    const [response] = await Promise.all([next(request), sleep(RESPONSE_MS)])
    return response
  }
}

/** Accepts the token of a verification link in the body, so that no log contains it; better-auth expects it in the query. */
export function verifyEmailToken(options: GuardOptions): Guard {
  return async (request, next) => {
    const token = textOf(request, 'token') ?? ''
    const query = { ...request, method: 'GET', search: `?${new URLSearchParams({ token })}`, body: {} }
    const { email, updateTo } = readVerificationToken(token) ?? {}
    if (email === undefined || updateTo === undefined) return verifyCurrentEmail(options, query, next)
    return verifyNewEmail(options, { email, updateTo }, { request: query, next })
  }
}

/** Signs the user in, except with two-factor authentication: an email is not a second factor. */
async function verifyCurrentEmail({ sessions }: GuardOptions, request: AuthRequest, next: Next): Promise<Response> {
  const before = await sessions.sessionOf(request.headers)
  const response = await next(request)
  const session = before === undefined ? await sessions.sessionStartedBy(response) : undefined
  return session?.twoFactor ? sessions.withoutSession(response) : response
}

/** Requires a session: a link that was sent to a mistyped address must not give its owner the account. */
async function verifyNewEmail(
  { sessions, emails }: GuardOptions,
  { email, updateTo }: Required<VerificationClaims>,
  { request, next }: { request: AuthRequest; next: Next },
): Promise<Response> {
  const session = await sessions.sessionOf(request.headers)
  if (session?.email !== email) {
    const message = 'Sign in with your current email address first, then open the link again.'
    return new DashboardProblem('session-required', message).toResponse()
  }
  const response = await next(request)
  if (response.ok) emails?.emailChanged(email, updateTo)
  return response
}

/** After a reset by link: clears failed attempts, verifies the email address and notifies the user. */
export function handlePasswordReset({ holder, failedAttempts, emails }: GuardOptions): Guard {
  return async (request, next) => {
    const token = textOf(request, 'token') ?? ''
    const { internalAdapter } = await holder.current.$context
    const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`)
    const response = await next(request)
    const user = response.ok && reset !== null ? await internalAdapter.findUserById(reset.value) : null
    if (user === null) return response
    await failedAttempts.clear({ method: 'password', email: user.email })
    // A link that was received by email proves ownership of the address; an operator's link does not.
    if (!user.emailVerified && !isOperatorToken(token)) {
      await internalAdapter.updateUser(user.id, { emailVerified: true })
    }
    emails?.passwordChanged(user.email)
    return response
  }
}

/** Notifies the user by email after a password change. */
export function notifyPasswordChange({ sessions, emails }: GuardOptions): Guard {
  return async (request, next) => {
    const session = await sessions.sessionOf(request.headers)
    const response = await next(request)
    if (response.ok && session !== undefined) emails?.passwordChanged(session.email)
    return response
  }
}
