import { z } from 'zod'
import { argument, CommandError, defineCommand } from './command.ts'
import { getPerson, withSignIn } from './store-access.ts'
import { formatInstant, formatSeconds } from './table.ts'

/** `account reset-link <email>`. Throws `CommandError` for an unknown address, and where passwords are disabled. */
export const accountResetLink = defineCommand({
  description: `Give the link to the owner of the account. It sets a new password once, within an hour, and signs out all sessions. Use it
where no email can be sent (SMTP_URL).`,
  examples: ['account reset-link ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    const { link, expiresAtMs } = await withSignIn(call, async (access) => {
      const { id } = await getPerson(access, email, 'create reset link')
      const created = await access.signIn.createResetLink(id)
      if (created === undefined) {
        throw new CommandError('Cannot create reset link: password sign-in is disabled (PASSWORD_SIGN_IN=false)')
      }
      return created
    })
    call.print({ link, expiresAt: formatInstant(expiresAtMs) }, link)
    call.note(
      `The link works once, until ${formatSeconds(expiresAtMs)}. Anyone with the link can take over the account.`,
    )
  },
})
