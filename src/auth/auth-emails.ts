import { KeyedMutex } from '../lib/concurrency.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import type { Mail } from '../notifications/mail/mail-format.ts'
import {
  addressChanged,
  alreadyRegistered,
  confirmAddress,
  confirmNewAddress,
  passwordChanged,
  resetPassword,
} from '../notifications/mail/mails.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { ThrottleRule, ThrottleStore } from '../store/contracts/operators.ts'
import { readConfirmation } from './token-claims.ts'

/** Anybody can have mails sent to an address that they know: ten, then one a minute, and ever fewer. */
const ASKED_RULE: ThrottleRule = { free: 10, firstMs: MINUTE_MS, maxMs: HOUR_MS, forgetMs: 6 * HOUR_MS }

export interface MailParts {
  readonly mailer: Mailer
  readonly throttles: ThrottleStore
  readonly dashboardUrl: string
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/**
 * The mails of signing in. Each is posted, not waited for: the time of an answer must not tell whether an account exists.
 * Secret tokens stand behind the `#` of a link, so that they reach neither a log nor a Referer.
 */
export class SignInMails {
  readonly #parts: MailParts
  readonly #mutex = new KeyedMutex()
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: MailParts) {
    this.#parts = parts
  }

  /** The token says by itself what it confirms: an account's address, or a new one for it. */
  confirm(to: string, token: string): void {
    const link = this.#at(`/app/confirm-email#${token}`)
    const isChange = readConfirmation(token)?.updateTo !== undefined
    this.#postAsked(isChange ? confirmNewAddress(to, link) : confirmAddress(to, link))
  }

  alreadyRegistered(to: string): void {
    const links = { signIn: this.#at('/app/sign-in'), forgotPassword: this.#at('/app/forgot-password') }
    this.#postAsked(alreadyRegistered(to, links))
  }

  resetPassword(to: string, token: string): void {
    this.#postAsked(resetPassword(to, this.#at(`/app/reset-password#${token}`)))
  }

  passwordChanged(to: string): void {
    this.#parts.mailer.post(passwordChanged(to))
  }

  addressChanged(from: string, to: string): void {
    this.#parts.mailer.post(addressChanged(from, to))
  }

  /** Resolves when all is posted. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #at(path: string): string {
    return new URL(path, this.#parts.dashboardUrl).href
  }

  #postAsked(mail: Mail): void {
    const name = `mail to ${mail.to.toLowerCase()}`
    const posting = this.#mutex
      .run(name, () => this.#postUnlessTooMany(name, mail))
      .catch((error: unknown) => {
        const fields = { subject: mail.subject, error: String(error) }
        this.#parts.onEvent({ level: 'error', message: 'mail could not be counted', fields })
      })
      .finally(() => this.#underWay.delete(posting))
    this.#underWay.add(posting)
  }

  async #postUnlessTooMany(name: string, mail: Mail): Promise<void> {
    const { throttles, mailer, now } = this.#parts
    if ((await throttles.refusedUntil(name)) > now()) return
    mailer.post(mail)
    await throttles.fail(name, ASKED_RULE)
  }
}
