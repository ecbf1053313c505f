import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { withAccount } from './store-access.ts'
import { formatInstant, formatSeconds } from './table.ts'

/** `account reset-link <email>`. Throws `CommandError` for an unknown address, and where passwords are disabled. */
export const accountResetLink = defineCommand({
  description: `Give the link to the owner of the account. It sets a new password once, within an hour, and signs out all sessions. Use it
where no email can be sent (SMTP_URL).`,
  examples: ['account reset-link ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    await withAccount(call, { email, purpose: 'create reset link' }, async ({ id }, signIn) => {
      const created = await signIn.createResetLink(id, COMMAND_LINE)
      if (created === undefined)
        throw new CommandError('Cannot create reset link: password sign-in is disabled (PASSWORD_SIGN_IN=false)')
      const { link, expiresAtMs } = created
      call.print({ link, expiresAt: formatInstant(expiresAtMs) }, link)
      const until = formatSeconds(expiresAtMs)
      call.note(`The link works once, until ${until}. Anyone with the link can take over the account.`)
    })
  },
})
