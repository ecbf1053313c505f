import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Mail } from './post-office.ts'

/** An SMTP server in a separate process. Prints its URL and sends received mails to its parent process. */
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authMethods: ['PLAIN', 'LOGIN'],
  onAuth: ({ username, password }, _session, callback) =>
    username === 'slots' && password === 'secret'
      ? callback(null, { user: username })
      : callback(new Error('Cannot log in: name and password must be right')),
  onData: async (stream, { envelope }, callback) => {
    const mail: Mail = { to: envelope.rcptTo.map(({ address }) => address), raw: await text(stream) }
    process.send?.(mail)
    callback()
  },
})
server.listen(0, '127.0.0.1', () => {
  console.log(`smtp://slots:secret@127.0.0.1:${(server.server.address() as AddressInfo).port}?requireTLS=false`)
})
process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
