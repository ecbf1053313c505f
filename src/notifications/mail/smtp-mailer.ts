import { createTransport } from 'nodemailer'
import type { LogEvent } from '../../lib/log-event.ts'
import type { Mail } from './mails.ts'

const TIMEOUT_MS = 15_000

/** Sends mails in the background, so that no response reveals whether a mail was sent, or how long it took. */
export interface Mailer {
  /** Returns at once; a mail that cannot be sent is logged. */
  post(mail: Mail): void
  /** Resolves when every posted mail was sent or failed. */
  close(): Promise<void>
}

export interface SmtpMailer extends Mailer {
  /** Resolves when the server has accepted the mail; rejects otherwise. */
  send(mail: Mail): Promise<void>
}

/**
 * Sends through an SMTP server, over at most two connections, encrypted unless `smtpUrl` has `?requireTLS=false`: mails carry
 * sign-in links. `smtpUrl` may contain a password: it is never logged.
 */
export function openMailer(
  smtp: { smtpUrl: string; mailFrom: string },
  onEvent: (event: LogEvent) => void,
): SmtpMailer {
  const transport = createTransport({
    url: withTls(smtp.smtpUrl),
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const pending = new Set<Promise<void>>()

  async function send(mail: Mail): Promise<void> {
    await transport.sendMail({ from: smtp.mailFrom, ...mail })
  }

  async function sendOrLog(mail: Mail): Promise<void> {
    try {
      await send(mail)
    } catch (error) {
      // The address is personal; the domain shows whether one server is affected or all.
      const fields = { subject: mail.subject, domain: mail.to.split('@').at(-1), error: String(error) }
      onEvent({ level: 'error', message: 'mail could not be sent', fields })
    }
  }

  return {
    send,
    post(mail) {
      const sending = sendOrLog(mail).finally(() => pending.delete(sending))
      pending.add(sending)
    },
    async close() {
      await Promise.all(pending)
      transport.close()
    },
  }
}

/** nodemailer reads its options from the query; by default it would go on unencrypted with a server that does not offer STARTTLS. */
function withTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  if (!url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true')
  return url.href
}
