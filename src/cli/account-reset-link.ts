import { type Command, Failure } from './command.ts'
import { formatInstant, formatSeconds } from './table.ts'
import { findPerson, withSignIn } from './with-sign-in.ts'

/** `account reset-link <email>`. Throws `Failure` for an unknown address, and where nobody has a password. */
export const accountResetLink: Command = {
  operands: [{ name: 'email' }],
  options: {},
  explanation: `Give the link to the person whose account it is: it sets a new password, once, within an hour, and ends all sessions. This is
how a password is reset where no mail can be sent (SMTP_URL).`,
  examples: ['account reset-link ada@example.org'],
  async run(call) {
    const [email] = call.operands
    const { link, expiresAtMs } = await withSignIn(call, async (access) => {
      const { id } = await findPerson(access, email, 'make reset link')
      const made = await access.signIn.makeResetLink(id)
      if (made === undefined) {
        throw new Failure('Cannot make reset link: PASSWORD_SIGN_IN must be true: got "false"')
      }
      return made
    })
    call.print({ link, expiresAt: formatInstant(expiresAtMs) }, link)
    call.tell(
      `The link works once, until ${formatSeconds(expiresAtMs)}. Whoever has it can take the account.`,
    )
  },
}
