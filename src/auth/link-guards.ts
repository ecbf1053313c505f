import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { type Exchange, type Guard, type Next, textOf } from './auth-request.ts'
import type { GuardParts } from './guard-options.ts'
import { isByOperator } from './reset-link.ts'
import { type Confirmation, readConfirmation } from './token-claims.ts'

/** Takes the token of a confirmation link out of the body, where no log sees it; the library wants it in the query. */
export function confirm(parts: GuardParts): Guard {
  return async (exchange, next) => {
    const token = textOf(exchange, 'token') ?? ''
    const asked = { ...exchange, method: 'GET', search: `?${new URLSearchParams({ token })}`, body: {} }
    const { email, updateTo } = readConfirmation(token) ?? {}
    if (email === undefined || updateTo === undefined) return confirmFirst(parts, asked, next)
    return confirmChange(parts, { email, updateTo }, { exchange: asked, next })
  }
}

/** What else follows from a new password that was set by a link. */
export function afterReset({ holder, guesses, mails }: GuardParts): Guard {
  return async (exchange, next) => {
    const token = textOf(exchange, 'token') ?? ''
    const { internalAdapter } = await holder.current.$context
    const reset = await internalAdapter.findVerificationValue(`reset-password:${token}`)
    const response = await next(exchange)
    const user = response.ok && reset !== null ? await internalAdapter.findUserById(reset.value) : null
    if (user === null) return response
    await guesses.forgive({ method: 'password', email: user.email })
    // Whoever got the link by mail has shown whose address it is.
    if (!user.emailVerified && !isByOperator(token)) {
      await internalAdapter.updateUser(user.id, { emailVerified: true })
    }
    mails?.passwordChanged(user.email)
    return response
  }
}

/** Tells the person by mail that the password was changed. */
export function afterChange({ people, mails }: GuardParts): Guard {
  return async (exchange, next) => {
    const session = await people.sessionOf(exchange.headers)
    const response = await next(exchange)
    if (response.ok && session !== undefined) mails?.passwordChanged(session.email)
    return response
  }
}

/** Signs in whoever confirms, unless a second factor is asked for: a mail is none. */
async function confirmFirst({ people }: GuardParts, exchange: Exchange, next: Next): Promise<Response> {
  const before = await people.sessionOf(exchange.headers)
  const response = await next(exchange)
  const session = before === undefined ? await people.sessionBegunBy(response) : undefined
  return session?.twoFactor ? people.withoutSession(response) : response
}

/** Only whoever is signed in may give an account another address: a link sent to a mistyped one must give nothing away. */
async function confirmChange(
  { people, mails }: GuardParts,
  { email, updateTo }: Required<Confirmation>,
  asked: { exchange: Exchange; next: Next },
): Promise<Response> {
  const session = await people.sessionOf(asked.exchange.headers)
  if (session?.email !== email) {
    const message = 'To use the new address, please sign in with the old one first, then open the link again.'
    return new DashboardProblem('session-required', message).toResponse()
  }
  const response = await asked.next(asked.exchange)
  if (response.ok) mails?.addressChanged(email, updateTo)
  return response
}
