import type { AlertConfig } from '../../config/config.ts'
import type { ServiceIdentity } from '../../shared/service-identity.ts'
import type { AlertMessage } from '../../store/contracts/alerts.ts'
import type { SmtpMailer } from '../mail/smtp-mailer.ts'
import { postWebhook } from '../webhook.ts'
import { bodyOf, mailOf } from './alert-messages.ts'

export interface Alert extends Pick<AlertMessage, 'key' | 'changes' | 'node' | 'createdAtMs'> {
  /** An operator tests the delivery. */
  readonly isTest?: boolean
}

/** A receiver of alerts. */
export interface AlertChannel {
  /** `webhook`, or `email:<address>`: identifies the channel in the store. */
  readonly name: string
  readonly kind: 'webhook' | 'email'
  /** The webhook's host, or the email address: for operators. */
  readonly to: string
  /** For the log: without personal addresses and without paths, which may be secret. */
  readonly shown: string
  /** Takes at most `SEND_MS_MAX`. Throws if the alert was not delivered; `AlertRejected` if a retry is pointless. */
  send(alert: Alert, signal: AbortSignal): Promise<void>
}

/** An abort ends a webhook at once, but not a mail. */
export const SEND_MS_MAX = 40_000

/** The receiver rejected this message permanently. */
export class AlertRejected extends Error {
  override readonly name = 'AlertRejected'
}

interface AlertChannelOptions {
  readonly settings: AlertConfig
  /** Required if `settings` has email addresses. */
  readonly mailer?: Pick<SmtpMailer, 'send'> | undefined
  /** Ends in a slash. */
  readonly dashboardUrl: string
  readonly service: ServiceIdentity
  /** Whether webhooks may use private addresses and http. */
  readonly allowPrivate: boolean
  readonly now: () => number
}

/** The configured channels: the webhook, and one for each email address. */
export function openChannels(options: AlertChannelOptions): AlertChannel[] {
  const { settings, mailer } = options
  const mails = mailer === undefined ? [] : settings.emails.map((to) => mailChannel(to, mailer, options))
  return [...(settings.webhook === undefined ? [] : [webhookChannel(settings.webhook, options)]), ...mails]
}

function webhookChannel(
  hook: NonNullable<AlertConfig['webhook']>,
  { dashboardUrl, allowPrivate, now }: AlertChannelOptions,
): AlertChannel {
  return {
    name: 'webhook',
    kind: 'webhook',
    to: new URL(hook.url).host,
    shown: `webhook to ${new URL(hook.url).host}`,
    async send(alert, signal) {
      const text = JSON.stringify(bodyOf(alert, dashboardUrl))
      const id = `msg_${alert.key}`
      const options = { allowPrivate, signal, purpose: 'alerts' } as const
      const { status } = await postWebhook({ ...hook, id, text, atMs: now() }, options)
      if (status >= 200 && status < 300) return
      const message = `Cannot deliver webhook: the receiver responded ${status}`
      throw REJECTED.has(status) ? new AlertRejected(message) : new Error(message)
    },
  }
}

/** Statuses about the message itself, or an endpoint that was removed (410). Other errors may be temporary. */
const REJECTED: ReadonlySet<number> = new Set([400, 410, 413, 415, 422])

function mailChannel(
  to: string,
  mailer: Pick<SmtpMailer, 'send'>,
  { dashboardUrl, service }: AlertChannelOptions,
): AlertChannel {
  const { hostname } = new URL(dashboardUrl)
  return {
    name: `email:${to}`,
    kind: 'email',
    to,
    shown: `email to an address at ${to.split('@').at(-1)}`,
    async send(alert) {
      const mail = { ...mailOf(alert, to, { dashboardUrl, service }), messageId: `<${alert.key}@${hostname}>` }
      await within(MAIL_MS_MAX, mailer.send(mail)).catch((error: Error) => {
        throw isPermanent(error) ? new AlertRejected(error.message) : error
      })
    },
  }
}

/** Room for two timeouts of the mailer. */
const MAIL_MS_MAX = 35_000

/** The server accepted the address and permanently rejected the text (RFC 5321, 4.2.1). */
function isPermanent(error: Error): boolean {
  const { responseCode, command } = error as Error & { responseCode?: number; command?: string }
  return command === 'DATA' && responseCode !== undefined && responseCode >= 500 && responseCode < 600
}

async function within(ms: number, sending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`Cannot send email: the server did not accept it within ${ms / 1000} s`)),
    ms,
  )
  try {
    await Promise.race([sending, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
