import { KeyedSemaphore } from '../lib/concurrency.ts'
import type { LogEvent } from '../lib/log-event.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { type AccountChange, accountChange } from '../notifications/mail/account-change.ts'
import type { Mail } from '../notifications/mail/mails.ts'
import {
  alreadyRegistered,
  emailChanged,
  passwordChanged,
  resetPassword,
  verifyEmail,
  verifyNewEmail,
} from '../notifications/mail/mails.ts'
import type { Mailer } from '../notifications/mail/smtp-mailer.ts'
import type { ServiceIdentity } from '../shared/service-identity.ts'
import type { ThrottleRule, ThrottleStore } from '../store/contracts/operators.ts'
import { readVerificationToken } from './link-tokens.ts'

/** Anyone can request emails to any address: ten are sent at once, then at most one a minute, with exponential backoff. */
const REQUEST_RULE: ThrottleRule = { free: 10, firstMs: MINUTE_MS, maxMs: HOUR_MS, forgetMs: 6 * HOUR_MS }

interface AuthEmailsOptions {
  readonly mailer: Mailer
  readonly throttles: ThrottleStore
  readonly dashboardUrl: string
  readonly service: ServiceIdentity
  readonly now: () => number
  readonly onEvent: (event: LogEvent) => void
}

/**
 * Sends authentication emails in the background: the duration of a response must not reveal whether an account exists.
 * Links carry their token in the fragment (`#`), which appears in no log and no Referer header.
 */
export class AuthEmails {
  readonly #options: AuthEmailsOptions
  readonly #mutex = new KeyedSemaphore(1)
  readonly #pending = new Set<Promise<void>>()

  constructor(options: AuthEmailsOptions) {
    this.#options = options
  }

  /** The token's claims state whether it verifies the current email address or a new one. */
  verifyEmail(to: string, token: string): void {
    const link = this.#at(`/app/confirm-email#${token}`)
    const isChange = readVerificationToken(token)?.updateTo !== undefined
    const { service } = this.#options
    this.#postLimited(isChange ? verifyNewEmail(to, link, service) : verifyEmail(to, link, service))
  }

  alreadyRegistered(to: string): void {
    const links = { signIn: this.#at('/app/sign-in'), forgotPassword: this.#at('/app/forgot-password') }
    this.#postLimited(alreadyRegistered(to, links, this.#options.service))
  }

  resetPassword(to: string, token: string): void {
    const link = this.#at(`/app/reset-password#${token}`)
    this.#postLimited(resetPassword(to, link, this.#options.service))
  }

  passwordChanged(to: string): void {
    const { mailer, service } = this.#options
    mailer.post(passwordChanged(to, service))
  }

  emailChanged(from: string, to: string): void {
    const { mailer, service } = this.#options
    mailer.post(emailChanged(from, to, service))
  }

  /** Sends nothing for changes that need no email. Not limited: a flood of other emails must not suppress it. */
  accountChanged(to: string, change: AccountChange): void {
    const { mailer, service } = this.#options
    const mail = accountChange(to, change, this.#at('/app/account'), service)
    if (mail !== undefined) mailer.post(mail)
  }

  /** Resolves when all emails are handed to the mailer. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
  }

  #at(path: string): string {
    return new URL(path, this.#options.dashboardUrl).href
  }

  #postLimited(mail: Mail): void {
    const name = `mail to ${mail.to.toLowerCase()}`
    const task = this.#mutex
      .run(name, () => this.#postUnlessLimited(name, mail))
      .catch((error: unknown) => {
        const fields = { subject: mail.subject, error: String(error) }
        this.#options.onEvent({ level: 'error', message: 'email limit could not be checked', fields })
      })
      .finally(() => this.#pending.delete(task))
    this.#pending.add(task)
  }

  async #postUnlessLimited(name: string, mail: Mail): Promise<void> {
    const { throttles, mailer, now } = this.#options
    if ((await throttles.refusedUntil(name)) > now()) return
    mailer.post(mail)
    await throttles.fail(name, REQUEST_RULE)
  }
}
