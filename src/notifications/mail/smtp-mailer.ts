import { createTransport } from 'nodemailer'
import type { LogEvent } from '../../lib/log-event.ts'
import type { Mail, Mailer } from './mailer.ts'

/** A server that takes longer than this to say anything is away. */
const WAIT_MS_MAX = 15_000

/** A `Mailer` that can be waited for. */
export interface SmtpMailer extends Mailer {
  /** Resolves when the server has taken the mail; rejects if it has not. */
  send(mail: Mail): Promise<void>
}

/** Sends by an SMTP server, over at most two connections. `smtpUrl` may hold a password: it is never shown. */
export function openMailer(
  smtp: { smtpUrl: string; mailFrom: string },
  onEvent: (event: LogEvent) => void,
): SmtpMailer {
  const transport = createTransport({
    url: smtp.smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: WAIT_MS_MAX,
    greetingTimeout: WAIT_MS_MAX,
    socketTimeout: WAIT_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const underWay = new Set<Promise<void>>()

  async function send(mail: Mail): Promise<void> {
    await transport.sendMail({ from: smtp.mailFrom, ...mail })
  }

  async function sendOrTell(mail: Mail): Promise<void> {
    try {
      await send(mail)
    } catch (error) {
      // Whom it was for is theirs; the domain is enough to see whether it is one server or all.
      const fields = { subject: mail.subject, domain: mail.to.split('@').at(-1), error: String(error) }
      onEvent({ level: 'error', message: 'mail could not be sent', fields })
    }
  }

  return {
    send,
    post(mail) {
      const sending = sendOrTell(mail).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async close() {
      await Promise.all(underWay)
      transport.close()
    },
  }
}
