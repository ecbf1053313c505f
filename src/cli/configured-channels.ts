import { type AlertWay, waysOf } from '../notifications/alerts/alert-channel.ts'
import type { SmtpMailer } from '../notifications/mail/smtp-mailer.ts'
import type { Call } from './command.ts'

/** Everybody who is told of sources in trouble, by the environment of a command. Without a mailer, nothing can be sent to an address. */
export function configuredWays({ config, clock }: Call, mailer: Mailer | undefined): AlertWay[] {
  return waysOf({
    settings: config.alerts,
    mailer,
    dashboardUrl: config.dashboardUrl.replace(/\/*$/, '/'),
    allowPrivate: config.allowPrivateSources,
    now: clock,
  })
}

type Mailer = Pick<SmtpMailer, 'send'>
