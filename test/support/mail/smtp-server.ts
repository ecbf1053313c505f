import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../eventually.ts'

/** A received mail. */
export interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  /** Headers and both bodies, decoded. */
  readonly whole: string
}

/** A real SMTP server on loopback, which records mails. */
export class PostOffice {
  readonly mails: Arrived[] = []
  /** How often a client sent a password. */
  logins = 0
  readonly #server: SMTPServer

  private constructor(isRefusing: () => boolean) {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      authMethods: ['PLAIN', 'LOGIN'],
      onAuth: ({ username, password }, _session, callback) => {
        this.logins++
        if (username === 'slots' && password === 'secret') callback(null, { user: username })
        else callback(new Error('wrong password'))
      },
      onData: (stream, { envelope }, callback) => {
        void text(stream).then((raw) => {
          if (isRefusing()) return callback(new Error('mailbox is full'))
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const to = envelope.rcptTo.map(({ address }) => address)
          this.mails.push({ from, to, subject: subjectOf(raw), whole: decodeQuotedPrintable(raw) })
          callback()
        })
      },
    })
  }

  static async open(t: TestContext, isRefusing = () => false): Promise<PostOffice> {
    const office = new PostOffice(isRefusing)
    office.#server.listen(0, '127.0.0.1')
    await once(office.#server.server, 'listening')
    t.after(() => new Promise<void>((resolve) => office.#server.close(resolve)))
    return office
  }

  /** Allows the service to send unencrypted: the server has no certificate. */
  get smtpUrl(): string {
    const { port } = this.#server.server.address() as AddressInfo
    return `smtp://slots:secret@127.0.0.1:${port}?requireTLS=false`
  }

  /** The newest mail to this address, once this many were received. */
  mailTo(address: string, count = 1): Promise<Arrived> {
    return eventually(() => {
      const found = this.mails.filter(({ to }) => to.includes(address))
      return found.length >= count && found[found.length - 1]
    })
  }
}

/** The fragment of the first link in a mail. */
export function tokenIn(mail: Arrived): string {
  return /#([\w.~-]+)/.exec(mail.whole)?.[1] ?? ''
}

function subjectOf(raw: string): string {
  return /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1].replace(/\r\n[ \t]/g, ' ') ?? ''
}

function decodeQuotedPrintable(raw: string): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
