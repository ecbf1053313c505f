import { setTimeout as sleep } from 'node:timers/promises'
import { type Exchange, type Guard, refuse, textOf } from './exchange.ts'
import type { Guess, Guesses } from './guesses.ts'
import type { LibraryHolder } from './library-holder.ts'
import type { SignInMails } from './mails.ts'
import type { People } from './people.ts'
import { isByOperator } from './reset-link.ts'
import { FRESH_MS_MAX } from './sign-in.ts'
import type { SignInLog } from './sign-in-log.ts'
import type { SignUpPolicy } from './sign-up-policy.ts'
import { readConfirmation } from './token-claims.ts'

export interface GuardParts {
  readonly holder: LibraryHolder
  readonly people: People
  readonly guesses: Guesses
  readonly log: SignInLog
  readonly policy: SignUpPolicy
  readonly mails: SignInMails | undefined
  readonly now: () => number
}

/** Every guard there is; `routes.ts` says which route has which. */
export type Guards = ReturnType<typeof makeGuards>

/** An answer that may have to hide whether an account exists takes this long; a password is hashed within it. */
const HIDING_MS = 500

export function makeGuards(parts: GuardParts) {
  const { people, guesses, log, policy, mails, holder, now } = parts
  const slow =
    (guessOf: (exchange: Exchange) => Guess | Promise<Guess>): Guard =>
    async (exchange, next) =>
      guesses.slow(await guessOf(exchange), exchange, next)

  return {
    slowPassword: slow((exchange) => ({ method: 'password', email: textOf(exchange, 'email') })),
    slowOwnPassword: slow(async ({ headers }) => ({
      method: 'password',
      email: (await people.sessionOf(headers))?.email,
    })),
    slowCode: slow(async ({ headers }) => ({
      method: 'second factor',
      email: (await people.challenged(headers))?.email ?? (await people.sessionOf(headers))?.email,
    })),
    slowResetToken: slow(() => ({ method: 'reset link' })),

    /** Notes in the log of the person's organizations whom the answer signs in. */
    noteSignIn:
      (method: string): Guard =>
      async (exchange, next) => {
        const before = await people.sessionOf(exchange.headers)
        const response = await next(exchange)
        const session = await people.sessionBegunBy(response)
        // Setting up a second factor exchanges the session for another: nobody signs in.
        if (session !== undefined && session.userId !== before?.userId)
          log.succeeded(session, method, exchange.address)
        return response
      },

    /** Each code counts once (RFC 6238, 5.2): whoever looked over a shoulder comes too late. */
    spendCode: async (exchange, next) => {
      const person = await people.challenged(exchange.headers)
      if (person === undefined) return next(exchange)
      const { internalAdapter } = await holder.current.$context
      const isFirst = await internalAdapter.reserveVerificationValue({
        identifier: `spent-code:${person.id}:${textOf(exchange, 'code')}`,
        value: person.id,
        // A code is taken for one period of 30 s before and after its own.
        expiresAt: new Date(Date.now() + 120_000),
      })
      if (isFirst) return next(exchange)
      return refuse(401, {
        code: 'INVALID_CODE',
        message: 'This code was used. Please wait for the next one.',
      })
    },

    checkPolicy: async (exchange, next) => {
      const { invitation: _, ...body } = exchange.body
      const email = textOf(exchange, 'email') ?? ''
      const invitation = textOf(exchange, 'invitation')
      const proof = mails === undefined ? 'none' : 'mail'
      const message = await policy.refusal({ email, proof, invitation })
      if (message !== undefined) return refuse(403, { code: 'SIGN_UP_REFUSED', message })
      return next({ ...exchange, body })
    },

    checkNewAddress: async (exchange, next) => {
      const message = policy.addressRefusal(textOf(exchange, 'newEmail') ?? '')
      return message === undefined ? next(exchange) : refuse(403, { code: 'ADDRESS_REFUSED', message })
    },

    askFresh: async (exchange, next) => {
      const session = await people.sessionOf(exchange.headers)
      if (session === undefined || now() - session.createdAtMs < FRESH_MS_MAX) return next(exchange)
      const message = 'This asks for a recent sign-in. Please sign out and in again first.'
      return refuse(403, { code: 'SESSION_NOT_FRESH', message })
    },

    /** Where mail tells what an answer does not, answers that differ in what they do must not differ in time. */
    hideTime: async (exchange, next) => {
      if (mails === undefined) return next(exchange)
      const [response] = await Promise.all([next(exchange), sleep(HIDING_MS)])
      return response
    },

    askProvider: async (exchange, next) => {
      if (await holder.findProvider()) return next(exchange)
      const message = 'The single sign-on cannot be reached just now. Please try again in a moment.'
      return refuse(503, { code: 'PROVIDER_AWAY', message }, { 'retry-after': '5' })
    },

    /** Only whoever is signed in may give the account another address: a link sent to a mistyped one must give nothing away. */
    confirm: async (exchange, next) => {
      const token = textOf(exchange, 'token') ?? ''
      const confirmation = readConfirmation(token)
      const session = await people.sessionOf(exchange.headers)
      const asked = { ...exchange, method: 'GET', search: `?${new URLSearchParams({ token })}`, body: {} }
      if (confirmation?.updateTo === undefined)
        return confirmFirst(parts, await next(asked), session !== undefined)
      if (session === undefined || session.email !== confirmation.email) {
        const message =
          'To use the new address, please sign in with the old one first, then open the link again.'
        return refuse(401, { code: 'SIGN_IN_FIRST', message })
      }
      const response = await next(asked)
      if (response.ok) mails?.addressChanged(confirmation.email, confirmation.updateTo)
      return response
    },

    afterReset: async (exchange, next) => {
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
    },

    afterChange: async (exchange, next) => {
      const session = await people.sessionOf(exchange.headers)
      const response = await next(exchange)
      if (response.ok && session !== undefined) mails?.passwordChanged(session.email)
      return response
    },
  } satisfies Record<string, Guard | ((method: string) => Guard)>
}

/** A mail is no second factor: whoever has one signs in by the form. */
async function confirmFirst(
  { people }: GuardParts,
  response: Response,
  isSignedIn: boolean,
): Promise<Response> {
  const session = isSignedIn ? undefined : await people.sessionBegunBy(response)
  return session?.twoFactor ? people.withoutSession(response) : response
}
