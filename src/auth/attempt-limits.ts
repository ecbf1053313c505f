import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { type AuthRequest, type Guard, textOf } from './auth-request.ts'
import type { Attempt } from './failed-attempts.ts'
import type { GuardOptions } from './guards.ts'

/** Limits failed attempts at the password of the account in the form. */
export function limitPasswordAttempts(options: GuardOptions): Guard {
  return limit(options, async (request) => ({ method: 'password', email: textOf(request, 'email') }))
}

/** Limits failed attempts at the password of the signed-in user, for example on an unattended screen. */
export function limitOwnPasswordAttempts(options: GuardOptions): Guard {
  return limit(options, async ({ headers }) => ({
    method: 'password',
    email: (await options.sessions.sessionOf(headers))?.email,
  }))
}

/** Limits failed attempts at one-time and backup codes, during sign-in and with a session. */
export function limitCodeAttempts(options: GuardOptions): Guard {
  const { sessions } = options
  return limit(options, async ({ headers }) => {
    const user = (await sessions.userAwaitingCode(headers)) ?? (await sessions.sessionOf(headers))
    return { method: 'second factor', email: user?.email }
  })
}

/** Limits failed attempts at the tokens of reset links, by network address only: a token names no account. */
export function limitResetTokenAttempts(options: GuardOptions): Guard {
  return limit(options, async () => ({ method: 'reset link' }))
}

/** Accepts each one-time code once (RFC 6238, 5.2), so that an observed code is useless. */
export function rejectUsedCode({ sessions, holder }: GuardOptions): Guard {
  return async (request, next) => {
    const user = await sessions.userAwaitingCode(request.headers)
    if (user === undefined) return next(request)
    const { internalAdapter } = await holder.current.$context
    const isFirst = await internalAdapter.reserveVerificationValue({
      identifier: `spent-code:${user.id}:${textOf(request, 'code')}`,
      value: user.id,
      expiresAt: new Date(Date.now() + CODE_MS),
    })
    if (isFirst) return next(request)
    return new DashboardProblem('invalid-code', 'This code was already used. Wait for the next one.').toResponse()
  }
}

/** A code is valid in its period of 30 s, the one before and the one after; the rest is a margin. */
const CODE_MS = 120_000

function limit({ failedAttempts }: GuardOptions, attemptOf: (request: AuthRequest) => Promise<Attempt>): Guard {
  return async (request, next) => failedAttempts.limit(await attemptOf(request), request, next)
}
