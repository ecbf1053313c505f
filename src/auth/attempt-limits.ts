import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { type Exchange, type Guard, textOf } from './auth-request.ts'
import type { Guess } from './failed-attempts.ts'
import type { GuardParts } from './guard-options.ts'

/** Slows down guesses at the password of the account that the form names. */
export function slowPassword(parts: GuardParts): Guard {
  return slow(parts, async (exchange) => ({ method: 'password', email: textOf(exchange, 'email') }))
}

/** Slows down guesses at the password of whoever is signed in: by somebody at a screen that was left open. */
export function slowOwnPassword(parts: GuardParts): Guard {
  return slow(parts, async ({ headers }) => ({
    method: 'password',
    email: (await parts.people.sessionOf(headers))?.email,
  }))
}

/** Slows down guesses at codes, by whoever has given the password or is signed in. */
export function slowCode({ people, ...parts }: GuardParts): Guard {
  return slow({ people, ...parts }, async ({ headers }) => {
    const person = (await people.challenged(headers)) ?? (await people.sessionOf(headers))
    return { method: 'second factor', email: person?.email }
  })
}

/** Slows down guesses at the tokens of reset links, which name nobody. */
export function slowResetToken(parts: GuardParts): Guard {
  return slow(parts, async () => ({ method: 'reset link' }))
}

/** Takes each code once (RFC 6238, 5.2): whoever looked over a shoulder comes too late. */
export function spendCode({ people, holder }: GuardParts): Guard {
  return async (exchange, next) => {
    const person = await people.challenged(exchange.headers)
    if (person === undefined) return next(exchange)
    const { internalAdapter } = await holder.current.$context
    const isFirst = await internalAdapter.reserveVerificationValue({
      identifier: `spent-code:${person.id}:${textOf(exchange, 'code')}`,
      value: person.id,
      expiresAt: new Date(Date.now() + CODE_MS),
    })
    if (isFirst) return next(exchange)
    return new DashboardProblem(
      'invalid-code',
      'This code was used. Please wait for the next one.',
    ).toResponse()
  }
}

/** A code is good for one period of 30 s before and after its own; the rest is room. */
const CODE_MS = 120_000

function slow({ guesses }: GuardParts, guessOf: (exchange: Exchange) => Promise<Guess>): Guard {
  return async (exchange, next) => guesses.slow(await guessOf(exchange), exchange, next)
}
