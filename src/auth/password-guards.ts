import { addressBlock } from '../lib/network-address.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { DashboardProblem, throttled } from '../shared/dashboard-problem.ts'
import { type AuthRequest, textOf } from './auth-request.ts'
import type { Guard, GuardContext } from './guards.ts'
import { isCurrentHash } from './password-hashing.ts'
import { type PasswordOwner, passwordWeakness } from './password-strength.ts'

/** As many as better-auth allows, which counts only what the guards let through. */
const SIGN_UPS = { max: 60, ms: MINUTE_MS }

/** Limits the sign-ups of an address before their passwords are judged, which takes the thread up to a tenth of a second each. */
export const limitSignUps: Guard = async (request, next, { throttles, now }) => {
  const untilMs = await throttles.take(`sign-up from ${addressBlock(request.address)}`, SIGN_UPS)
  if (untilMs <= now()) return next(request)
  return throttled('too-many-attempts', 'Too many sign-ups came from your network.', untilMs - now()).toResponse()
}

/** Refuses a password of a sign-up that is easy to guess. */
export const refuseWeakPassword: Guard = async (request, next, context) => {
  const owner = { email: textOf(request, 'email'), name: textOf(request, 'name'), host: context.host }
  return (await refusal('password', textOf(request, 'password'), owner)) ?? next(request)
}

/** The same for a new password of the signed-in user. */
export const refuseWeakChange: Guard = async (request, next, context) => {
  const session = await context.sessions.sessionOf(request.headers)
  if (session === undefined) return next(request)
  const owner = await ownerOf(session, context)
  return (await refusal('newPassword', textOf(request, 'newPassword'), owner)) ?? next(request)
}

/** The same for a new password by a reset link, for which the owner of the link does not need to be signed in. */
export const refuseWeakReset: Guard = async (request, next, context) => {
  const { internalAdapter } = await context.holder.current.$context
  const reset = await internalAdapter.findVerificationValue(`reset-password:${textOf(request, 'token') ?? ''}`)
  const user = reset === null ? null : await internalAdapter.findUserById(reset.value)
  if (user === null) return next(request)
  const owner = await ownerOf({ userId: user.id, ...user }, context)
  return (await refusal('newPassword', textOf(request, 'newPassword'), owner)) ?? next(request)
}

/** Refuses a sign-in whose password was replaced while it was checked: its session would outlive the change. */
export const refuseReplacedPassword: Guard = async (request, next, context) => {
  const before = await storedPassword(request, context)
  const response = await next(request)
  if (!response.ok || (await storedPassword(request, context))?.hash === before?.hash) return response
  await context.sessions.withoutSession(response)
  return Response.json({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }, { status: 401 })
}

/** Replaces a hash with old parameters, once the password is known to be correct, unless the password is replaced meanwhile. */
export const renewHash: Guard = async (request, next, context) => {
  const response = await next(request)
  const password = textOf(request, 'password')
  if (!response.ok || password === undefined) return response
  const stored = await storedPassword(request, context)
  if (stored === undefined || isCurrentHash(stored.hash)) return response
  const { adapter, password: hashing } = await context.holder.current.$context
  await adapter.updateMany({
    model: 'account',
    where: [
      { field: 'userId', value: stored.userId },
      { field: 'password', value: stored.hash },
    ],
    update: { password: await hashing.hash(password) },
  })
  return response
}

/** The hash of the password of the account in the form; undefined without one. */
async function storedPassword(
  request: AuthRequest,
  { holder }: GuardContext,
): Promise<{ userId: string; hash: string } | undefined> {
  const email = textOf(request, 'email')?.trim().toLowerCase()
  if (email === undefined) return undefined
  const { internalAdapter } = await holder.current.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password
  return found != null && typeof hash === 'string' ? { userId: found.user.id, hash } : undefined
}

async function ownerOf(
  { userId, email, name }: { userId: string; email: string; name: string },
  { memberships, host }: GuardContext,
): Promise<PasswordOwner> {
  const organizations = (await memberships.listOfUser(userId)).map(({ organization }) => organization.name)
  return { email, name, organizations, host }
}

async function refusal(
  field: 'password' | 'newPassword',
  password: string | undefined,
  owner: PasswordOwner,
): Promise<Response | undefined> {
  const weakness = password === undefined ? undefined : await passwordWeakness(password, owner)
  return weakness === undefined ? undefined : new DashboardProblem('weak-password', weakness, { field }).toResponse()
}
