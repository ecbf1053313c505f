import type { AlertConfig } from '../../config/config.ts'
import type { AlertMessage } from '../../store/contracts/alerts.ts'
import type { SmtpMailer } from '../mail/smtp-mailer.ts'
import { bodyOf, mailOf } from './alert-messages.ts'
import { postWebhook } from './webhook.ts'

/** What is sent. */
export interface Alert extends Pick<AlertMessage, 'key' | 'changes' | 'createdAtMs'> {
  /** Somebody wants to see whether alerts arrive. */
  readonly isTest?: boolean
}

/** One who is told. */
export interface AlertWay {
  /** `webhook`, or `email:<address>`: in the store, to tell whom a message is for. */
  readonly name: string
  readonly kind: 'webhook' | 'email'
  /** The webhook's host, or the address: for operators. */
  readonly to: string
  /** As it may be shown in a log: nobody's address, no path that may be a secret. */
  readonly shown: string
  /** Within `SEND_MS_MAX`. Throws if it did not arrive, `Unacceptable` if it never will. */
  send(alert: Alert, signal: AbortSignal): Promise<void>
}

/** What sending may take; an abort ends a webhook at once, and leaves a mail its time. */
export const SEND_MS_MAX = 40_000

/** The receiver can be reached, and will not have this message however often it is sent. */
export class Unacceptable extends Error {
  override readonly name = 'Unacceptable'
}

/** What the ways need. */
export interface WayParts {
  readonly settings: AlertConfig
  /** Needed where `settings` names addresses. */
  readonly mailer?: Pick<SmtpMailer, 'send'> | undefined
  /** Ends in a slash. */
  readonly dashboardUrl: string
  /** Webhooks may lead to private addresses, and by plain http. */
  readonly allowPrivate: boolean
  readonly now: () => number
}

/** Everybody who is told: the webhook, and each address by itself. */
export function waysOf(parts: WayParts): AlertWay[] {
  const { settings, mailer } = parts
  const mails = mailer === undefined ? [] : settings.emails.map((to) => mailWay(to, mailer, parts))
  return [...(settings.webhook === undefined ? [] : [webhookWay(settings.webhook, parts)]), ...mails]
}

function webhookWay(
  hook: NonNullable<AlertConfig['webhook']>,
  { dashboardUrl, allowPrivate, now }: WayParts,
): AlertWay {
  return {
    name: 'webhook',
    kind: 'webhook',
    to: new URL(hook.url).host,
    shown: `webhook to ${new URL(hook.url).host}`,
    async send(alert, signal) {
      const text = JSON.stringify(bodyOf(alert, dashboardUrl))
      const id = `msg_${alert.key}`
      const status = await postWebhook({ ...hook, id, text, atMs: now() }, { allowPrivate, signal })
      if (status >= 200 && status < 300) return
      const told = `Cannot send webhook: answer must be 2xx: got "${status}"`
      throw BODY_REFUSED.has(status) ? new Unacceptable(told) : new Error(told)
    },
  }
}

/** What concerns the message itself, or says that nobody wants any (410). What else goes wrong may be put right. */
const BODY_REFUSED: ReadonlySet<number> = new Set([400, 410, 413, 415, 422])

function mailWay(to: string, mailer: Pick<SmtpMailer, 'send'>, { dashboardUrl }: WayParts): AlertWay {
  const { hostname } = new URL(dashboardUrl)
  return {
    name: `email:${to}`,
    kind: 'email',
    to,
    shown: `e-mail to somebody at ${to.split('@').at(-1)}`,
    async send(alert) {
      const mail = { ...mailOf(alert, to, dashboardUrl), messageId: `<${alert.key}@${hostname}>` }
      // Two waits of the mailer fit into it; whoever drips is given up.
      await within(MAIL_MS_MAX, mailer.send(mail)).catch((fault: Error) => {
        throw isRefusedForGood(fault) ? new Unacceptable(fault.message) : fault
      })
    },
  }
}

const MAIL_MS_MAX = 35_000

/** The server knows the address and will not have this text (RFC 5321, 4.2.1). */
function isRefusedForGood(fault: Error): boolean {
  const { responseCode, command } = fault as Error & { responseCode?: number; command?: string }
  return command === 'DATA' && responseCode !== undefined && responseCode >= 500 && responseCode < 600
}

async function within(ms: number, sending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`Cannot send mail: it must be taken within ${ms} ms: got "nothing"`)),
    ms,
  )
  try {
    await Promise.race([sending, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
