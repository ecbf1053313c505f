import {
  addressChanged,
  alreadyRegistered,
  confirmAddress,
  confirmNewAddress,
  passwordChanged,
  resetPassword,
} from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import { readConfirmation } from './token-claims.ts'

/** The mails of signing in. Each is posted, not waited for: the time of an answer must not tell whether an account exists. */
export interface SignInMails {
  /** The token says by itself what it confirms: an account's address, or a new one for it. */
  confirm(to: string, token: string): void
  alreadyRegistered(to: string): void
  resetPassword(to: string, token: string): void
  passwordChanged(to: string): void
  addressChanged(from: string, to: string): void
}

/** Secret tokens stand behind the `#` of a link, so that they reach neither a log nor a Referer. */
export function signInMails(mailer: Mailer, dashboardUrl: string): SignInMails {
  const at = (path: string) => new URL(path, dashboardUrl).href
  return {
    confirm(to, token) {
      const link = at(`/app/confirm-email#${token}`)
      const isChange = readConfirmation(token)?.updateTo !== undefined
      mailer.post(isChange ? confirmNewAddress(to, link) : confirmAddress(to, link))
    },
    alreadyRegistered: (to) =>
      mailer.post(
        alreadyRegistered(to, { signIn: at('/app/sign-in'), forgotPassword: at('/app/forgot-password') }),
      ),
    resetPassword: (to, token) => mailer.post(resetPassword(to, at(`/app/reset-password#${token}`))),
    passwordChanged: (to) => mailer.post(passwordChanged(to)),
    addressChanged: (from, to) => mailer.post(addressChanged(from, to)),
  }
}
