import { DashboardProblem } from '../shared/dashboard-problem.ts'
import type { Guard } from './auth-request.ts'
import type { GuardParts } from './guard-options.ts'
import { FRESH_MS_MAX } from './sign-in.ts'

/** Notes, in the logs of the person's organizations, whom the answer signs in. */
export function noteSignIn({ people, log }: GuardParts, method: string): Guard {
  return async (exchange, next) => {
    const before = await people.sessionOf(exchange.headers)
    const response = await next(exchange)
    const session = await people.sessionBegunBy(response)
    // Setting up a second factor exchanges the session for another one: nobody signs in.
    if (session !== undefined && session.userId !== before?.userId) {
      log.succeeded(session, method, exchange.address)
    }
    return response
  }
}

/** Asks for a sign-in within `FRESH_MS_MAX` before what would let somebody else in for good. */
export function askFresh({ people, now }: GuardParts): Guard {
  return async (exchange, next) => {
    const session = await people.sessionOf(exchange.headers)
    if (session === undefined || now() - session.createdAtMs < FRESH_MS_MAX) return next(exchange)
    const message = 'This asks for a recent sign-in. Please sign out and in again first.'
    return new DashboardProblem('sign-in-again', message).toResponse()
  }
}

/** Sees to it that the OpenID provider is known before the library is asked to send somebody there. */
export function askProvider({ holder }: GuardParts): Guard {
  return async (exchange, next) => {
    if (await holder.findProvider()) return next(exchange)
    const message = 'The single sign-on cannot be reached just now. Please try again in a moment.'
    return new DashboardProblem('provider-unavailable', message, {
      headers: { 'retry-after': '5' },
    }).toResponse()
  }
}

/** Lets only these fields of the body through: what the dashboard does not send, nobody needs to. */
export function keepOnly(...fields: readonly string[]): Guard {
  return async (exchange, next) => {
    const body = Object.fromEntries(Object.entries(exchange.body).filter(([name]) => fields.includes(name)))
    return next({ ...exchange, body })
  }
}
