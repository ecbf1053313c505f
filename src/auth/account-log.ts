import type { ServiceAuditKind } from '../shared/audit-kinds.ts'
import type { AuditActor, AuditDetail } from '../store/contracts/audit.ts'
import { type AuthRequest, requestOrigin, textOf } from './auth-request.ts'
import type { Guard } from './guards.ts'
import { isOperatorToken } from './link-tokens.ts'
import type { Session } from './sign-in.ts'

/** A request that succeeded, as a guard sees it. */
interface Change {
  readonly before: Session
  readonly request: AuthRequest
}

/**
 * Records a change by the signed-in user in the audit logs of the service and of the user's organizations, before the response
 * is sent. If the entry cannot be written, the request fails, although better-auth has made the change.
 */
export function recordChange(kind: ServiceAuditKind, detailOf: (change: Change) => AuditDetail = () => ({})): Guard {
  return async (request, next, { sessions, audit }) => {
    const before = await sessions.sessionOf(request.headers)
    const response = await next(request)
    if (response.ok && before !== undefined) {
      const { userId } = before
      const detail = detailOf({ before, request })
      await audit.record({ kind, userId, by: userActor(before, request.headers), detail })
    }
    return response
  }
}

/** The first code turns two-factor authentication on; later ones sign in. */
export const recordSecondFactor: Guard = async (request, next, context) => {
  const before = await context.sessions.sessionOf(request.headers)
  const isFirst = before !== undefined && !before.twoFactor
  return isFirst ? recordChange('account.second-factor-added')(request, next, context) : next(request)
}

/** Records a new email address: without a mail server at once, otherwise when its link is opened. */
export const recordNewEmail: Guard = async (request, next, { sessions, audit }) => {
  const before = await sessions.sessionOf(request.headers)
  const response = await next(request)
  const after = before && response.ok ? await sessions.sessionOf(request.headers) : undefined
  if (before === undefined || after === undefined || after.email === before.email) return response
  const detail = { from: before.email, to: after.email }
  const by = userActor(before, request.headers)
  await audit.record({ kind: 'account.email-changed', userId: before.userId, by, detail })
  return response
}

/** Records a new password that was set with a reset link. */
export const recordPasswordReset: Guard = async (request, next, { holder, audit }) => {
  const token = textOf(request, 'token') ?? ''
  const { internalAdapter } = await holder.current.$context
  const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  const user = reset === null ? null : await internalAdapter.findUserById(reset.value)
  const response = await next(request)
  if (!response.ok || user === null) return response
  const by = userActor({ userId: user.id, email: user.email }, request.headers)
  const detail = { link: isOperatorToken(token) ? 'operator' : 'email' }
  await audit.record({ kind: 'account.password-reset', userId: user.id, by, detail })
  return response
}

/** A signed-in user as the audit logs name them. */
export function userActor({ userId, email }: { userId: string; email: string }, headers: Headers): AuditActor {
  return { userId, name: email, ...requestOrigin(headers) }
}
