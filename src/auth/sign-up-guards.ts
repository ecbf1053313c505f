import { setTimeout as sleep } from 'node:timers/promises'
import { DashboardProblem } from '../shared/dashboard-problem.ts'
import { type Guard, textOf } from './auth-request.ts'
import type { GuardParts } from './guard-options.ts'

/** An answer that may have to hide whether an account exists takes this long; a password is hashed within it. */
const HIDING_MS = 500

/** Lets through whoever may make an account. */
export function checkPolicy({ policy, mails }: GuardParts): Guard {
  return async (exchange, next) => {
    const { invitation: _, ...body } = exchange.body
    const message = await policy.refusal({
      email: textOf(exchange, 'email') ?? '',
      proof: mails === undefined ? 'none' : 'mail',
      invitation: textOf(exchange, 'invitation'),
    })
    if (message !== undefined) return new DashboardProblem('sign-up-refused', message).toResponse()
    return next({ ...exchange, body })
  }
}

/** Lets an account change only to an address with which it could have been made. */
export function checkNewAddress({ policy }: GuardParts): Guard {
  return async (exchange, next) => {
    const message = policy.addressRefusal(textOf(exchange, 'newEmail') ?? '')
    return message === undefined
      ? next(exchange)
      : new DashboardProblem('address-refused', message).toResponse()
  }
}

/** Where a mail tells what the answer does not, answers that differ in what they do must not differ in time. */
export function hideTime({ mails }: GuardParts): Guard {
  return async (exchange, next) => {
    if (mails === undefined) return next(exchange)
    const [response] = await Promise.all([next(exchange), sleep(HIDING_MS)])
    return response
  }
}
