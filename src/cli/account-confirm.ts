import type { Command } from './command.ts'
import { findPerson, withSignIn } from './with-sign-in.ts'

/** `account confirm <email>`. Throws `Failure` for an unknown address. */
export const accountConfirm: Command = {
  operands: [{ name: 'email' }],
  options: {},
  explanation: `Counts the address as confirmed on your word: make sure first that the account is of whoever has the address. From then on it
may be linked with the single sign-on, and makes an operator if it is one of OPERATOR_EMAILS.`,
  examples: ['account confirm ada@example.org'],
  async run(call) {
    const [email] = call.operands
    const person = await withSignIn(call, async (access) => {
      const found = await findPerson(access, email, 'confirm address')
      await access.signIn.confirmAddress(found.id)
      return found
    })
    call.print({ id: person.id, email: person.email, emailConfirmed: true }, `${person.email} is confirmed.`)
  },
}
