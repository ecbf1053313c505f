import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { firstLine, startScript, stopScript } from '../../demo/children.ts'
import { eventually } from '../support/eventually.ts'

/** A received mail. */
export interface Mail {
  readonly to: readonly string[]
  readonly raw: string
}

/** A real SMTP server in a separate process, and the mails that it received. */
export class PostOffice implements AsyncDisposable {
  readonly smtpUrl: string
  readonly #server: ChildProcess
  readonly #mails: Mail[] = []

  private constructor(server: ChildProcess, smtpUrl: string) {
    this.smtpUrl = smtpUrl
    this.#server = server
    server.on('message', (mail) => this.#mails.push(mail as Mail))
  }

  static async open(): Promise<PostOffice> {
    const server = startScript(join(import.meta.dirname, 'smtp-server.ts'), [], { PATH: process.env.PATH })
    return new PostOffice(server, await firstLine(server))
  }

  /** The number of mails received for the address. */
  countTo(address: string): number {
    return this.#mails.filter(({ to }) => to.includes(address)).length
  }

  /** Waits for the newest mail with this subject to the address, and returns its link to the dashboard. */
  linkTo(address: string, subject: string): Promise<string> {
    return eventually(() => {
      const mail = this.#mails.findLast(({ to, raw }) => to.includes(address) && hasSubject(raw, subject))
      return mail && /http:\/\/localhost:\d+\/app\/\S+#[\w.~-]+/.exec(unfold(mail.raw))?.[0]
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopScript(this.#server, 1000)
  }
}

function hasSubject(raw: string, subject: string): boolean {
  return raw.includes(`\r\nSubject: ${subject}\r\n`)
}

/** Quoted-printable breaks long lines, and writes `=` as `=3D` (RFC 2045, 6.7). */
function unfold(raw: string): string {
  return raw.replace(/=\r\n/g, '').replace(/=3D/g, '=')
}
