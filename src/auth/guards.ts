import { setTimeout as sleep } from 'node:timers/promises'
import { DashboardProblem, notFound, secondFactorRequired } from '../shared/dashboard-problem.ts'
import type { AuditLog } from '../store/contracts/audit.ts'
import type { ThrottleStore } from '../store/contracts/operators.ts'
import type { MembershipStore } from '../store/contracts/organizations.ts'
import type { AuthEmails } from './auth-emails.ts'
import { type AuthRequest, requestOrigin, textOf } from './auth-request.ts'
import type { AuthSecrets } from './auth-secrets.ts'
import type { BetterAuthHolder } from './better-auth-holder.ts'
import type { Attempt, FailedAttempts } from './failed-attempts.ts'
import { isOperatorToken, readVerificationToken, type VerificationClaims } from './link-tokens.ts'
import type { SessionReader } from './session-reader.ts'
import type { SignInLog } from './sign-in-log.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'

/** The dependencies of the guards. */
export interface GuardContext {
  readonly holder: BetterAuthHolder
  readonly secrets: AuthSecrets
  readonly sessions: SessionReader
  readonly failedAttempts: FailedAttempts
  readonly throttles: Pick<ThrottleStore, 'take'>
  readonly log: SignInLog
  readonly audit: Pick<AuditLog, 'record'>
  readonly policy: SignUpPolicy
  readonly memberships: Pick<MembershipStore, 'listOfUser'>
  /** The host of the dashboard. */
  readonly host: string
  /** Absent without a mail server. */
  readonly emails: AuthEmails | undefined
  readonly now: () => number
}

/** Middleware before better-auth: may respond, change the request, or inspect the response. */
export type Guard = (request: AuthRequest, next: Next, context: GuardContext) => Promise<Response>
export type Next = (request: AuthRequest) => Promise<Response>

/** Composes the guards in order around the handler. */
export function chain(guards: readonly Guard[], context: GuardContext, handler: Next): Next {
  return guards.reduceRight<Next>((next, guard) => (request) => guard(request, next, context), handler)
}

/** Records a sign-in in the audit logs of the user's organizations. */
export function recordSignIn(method: string): Guard {
  return async (request, next, { sessions, log }) => {
    const before = await sessions.sessionOf(request.headers)
    const response = await next(request)
    const session = await sessions.sessionStartedBy(response)
    // Enabling a second factor replaces the session of the same user, which is not a sign-in.
    const isEnabling = before !== undefined && request.path.startsWith('/two-factor/')
    const origin = requestOrigin(request.headers)
    const refused = session === undefined ? await sessions.suspendedStart(response) : undefined
    if (refused !== undefined) log.refused(refused, method, origin)
    if (session !== undefined && !isEnabling) log.succeeded(session, method, origin)
    return response
  }
}

/** Removes all other fields from the body. */
export function allowFields(...fields: readonly string[]): Guard {
  return async (request, next) => {
    const body = Object.fromEntries(Object.entries(request.body).filter(([name]) => fields.includes(name)))
    return next({ ...request, body })
  }
}

/** Without a required second factor, an account cannot get another way to sign in. */
export const requireSecondFactor: Guard = async (request, next, { sessions }) => {
  const session = await sessions.sessionOf(request.headers)
  return session?.needsSecondFactor ? secondFactorRequired().toResponse() : next(request)
}

/** Discovers the OpenID provider before better-auth redirects to it. */
export const requireProvider: Guard = async (request, next, { holder }) => {
  if (await holder.findProvider()) return next(request)
  const message = 'The single sign-on provider is unavailable. Try again in a moment.'
  return new DashboardProblem('provider-unavailable', message, { headers: { 'retry-after': '5' } }).toResponse()
}

/** Applies the sign-up policy to a sign-up by password. */
export const checkPolicy: Guard = async (request, next, { policy, emails }) => {
  const { invitation: _, ...body } = request.body
  const message = await policy.refusal({
    email: textOf(request, 'email') ?? '',
    proof: emails === undefined ? 'none' : 'mail',
    invitation: textOf(request, 'invitation'),
  })
  if (message !== undefined) return new DashboardProblem('sign-up-refused', message).toResponse()
  return next({ ...request, body })
}

/** Rejects a new email address that the sign-up policy does not allow. */
export const checkNewEmail: Guard = async (request, next, { policy }) => {
  const message = policy.addressRefusal(textOf(request, 'newEmail') ?? '')
  return message === undefined ? next(request) : new DashboardProblem('address-refused', message).toResponse()
}

/** Responses take at least this long where they must not reveal whether an account exists. Hashing a password takes less. */
const RESPONSE_MS = 1000

/**
 * Constant-time response: where the result is sent by email and not in the response, the duration must not reveal it.
 * Without a mail server, the response itself states the result.
 */
export const constantTimeResponse: Guard = async (request, next, { emails }) => {
  if (emails === undefined) return next(request)
  const [response] = await Promise.all([next(request), sleep(RESPONSE_MS)])
  return response
}

/** Accepts the token of a verification link in the body, so that no log contains it; better-auth expects it in the query. */
export const verifyEmailToken: Guard = async (request, next, context) => {
  const token = context.secrets.renewToken(textOf(request, 'token') ?? '')
  const query = { ...request, method: 'GET', search: `?${new URLSearchParams({ token })}`, body: {} }
  const { email, updateTo } = readVerificationToken(token) ?? {}
  if (email === undefined || updateTo === undefined) return verifyCurrentEmail(query, next, context)
  return verifyNewEmail({ email, updateTo }, query, next, context)
}

/** Signs the user in, except with two-factor authentication: an email is not a second factor. Keeps the user's own session. */
async function verifyCurrentEmail(request: AuthRequest, next: Next, { sessions }: GuardContext): Promise<Response> {
  const before = await sessions.sessionOf(request.headers)
  const response = await next(request)
  const after = await sessions.sessionStartedBy(response)
  return after?.twoFactor && after.userId !== before?.userId ? sessions.withoutSession(response) : response
}

/** Requires a session: a link that was sent to a mistyped address must not give its owner the account. */
async function verifyNewEmail(
  { email, updateTo }: Required<VerificationClaims>,
  request: AuthRequest,
  next: Next,
  { sessions, emails }: GuardContext,
): Promise<Response> {
  const session = await sessions.sessionOf(request.headers)
  if (session?.email !== email) {
    const message = 'Sign in with your current email address first, then open the link again.'
    return new DashboardProblem('session-required', message).toResponse()
  }
  const response = await next(request)
  if (!response.ok) return response
  // Also deletes reset links, of which one may be in the old mailbox.
  await sessions.forgetDevices(session.userId)
  emails?.emailChanged(email, updateTo)
  return response
}

/** After a reset by link: clears failed attempts, verifies the email address and notifies the user. */
export const handlePasswordReset: Guard = async (request, next, context) => {
  const { holder, sessions, failedAttempts, emails } = context
  const token = textOf(request, 'token') ?? ''
  const { internalAdapter } = await holder.current.$context
  const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  const response = await next(request)
  const user = response.ok && reset !== null ? await internalAdapter.findUserById(reset.value) : null
  if (user === null) return response
  await failedAttempts.clear({ method: 'password', email: user.email }, request.address)
  await sessions.forgetDevices(user.id)
  // A link that was received by email proves ownership of the address; an operator's link does not.
  if (!user.emailVerified && !isOperatorToken(token)) {
    await removeOtherSignIns(user, request, context)
    await internalAdapter.updateUser(user.id, { emailVerified: true })
  }
  emails?.passwordChanged(user.email)
  return response
}

/** Another person may have signed up with the address, and must not share the account with its owner. */
async function removeOtherSignIns(
  { id: userId, email }: { id: string; email: string },
  { headers }: AuthRequest,
  { holder, audit }: GuardContext,
): Promise<void> {
  const { adapter } = await holder.current.$context
  const ofUser = { field: 'userId', value: userId }
  const others = { field: 'providerId', operator: 'ne', value: 'credential' } as const
  const by = { userId, name: email, ...requestOrigin(headers) }
  if ((await adapter.deleteMany({ model: 'passkey', where: [ofUser] })) > 0)
    await audit.record({ kind: 'account.passkey-removed', userId, by })
  if ((await adapter.deleteMany({ model: 'account', where: [ofUser, others] })) > 0)
    await audit.record({ kind: 'account.sign-on-unlinked', userId, by })
}

/** Forgets the trusted devices of the signed-in user, for whom something about signing in has changed. */
export const forgetDevices: Guard = async (request, next, { sessions }) => {
  const session = await sessions.sessionOf(request.headers)
  const response = await next(request)
  if (response.ok && session !== undefined) await sessions.forgetDevices(session.userId)
  return response
}

/** Accepts the ID of one of the user's sessions; better-auth expects its token, which no response contains. */
export const findSessionToken: Guard = async (request, next, { sessions }) => {
  const session = await sessions.sessionOf(request.headers)
  if (session === undefined) return next({ ...request, body: {} })
  const token = await sessions.tokenOfSession(session.userId, textOf(request, 'id') ?? '')
  return token === undefined ? notFound('session').toResponse() : next({ ...request, body: { token } })
}

/** Notifies the user by email after a password change. */
export const notifyPasswordChange: Guard = async (request, next, { sessions, emails }) => {
  const session = await sessions.sessionOf(request.headers)
  const response = await next(request)
  if (response.ok && session !== undefined) emails?.passwordChanged(session.email)
  return response
}

/** Limits failed attempts at the password of the account in the form. */
export const limitPasswordAttempts = limit(async (request) => ({
  method: 'password',
  email: textOf(request, 'email'),
}))

/** Limits failed attempts at the password of the signed-in user, for example on an unattended screen. */
export const limitOwnPasswordAttempts = limit(async ({ headers }, { sessions }) => ({
  method: 'password',
  email: (await sessions.sessionOf(headers))?.email,
}))

/** Limits failed attempts at one-time and backup codes, during sign-in and with a session. */
export const limitCodeAttempts = limit(async ({ headers }, { sessions }) => ({
  method: 'second factor',
  email: (await sessions.ownerOfCode(headers))?.email,
}))

/** Limits failed attempts at the tokens of reset links, by network address only: a token names no account. */
export const limitResetTokenAttempts = limit(async () => ({ method: 'reset link' }))

function limit(attemptOf: (request: AuthRequest, context: GuardContext) => Promise<Attempt>): Guard {
  return async (request, next, context) => {
    const attempt = { ...(await attemptOf(request, context)), requestId: request.requestId }
    return context.failedAttempts.limit(attempt, request.address, () => next(request))
  }
}

/** A code is valid in its period of 30 s, the one before and the one after; the rest is a margin. */
const CODE_MS = 120_000

/** Accepts each one-time code once (RFC 6238, 5.2), so that an observed code is useless. */
export const rejectUsedCode: Guard = async (request, next, { sessions, holder }) => {
  const owner = await sessions.ownerOfCode(request.headers)
  // The code that turns two-factor authentication on does not count.
  if (owner === undefined || owner.isFirst) return next(request)
  const { internalAdapter } = await holder.current.$context
  const isFirst = await internalAdapter.reserveVerificationValue({
    identifier: `spent-code:${owner.userId}:${textOf(request, 'code')}`,
    // Not the user: `forgetDevices()` must not make the code valid again.
    value: 'spent',
    expiresAt: new Date(Date.now() + CODE_MS),
  })
  if (isFirst) return next(request)
  return new DashboardProblem('invalid-code', 'This code was already used. Wait for the next one.').toResponse()
}
