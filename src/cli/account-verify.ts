import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { withAccount } from './store-access.ts'

/** `account verify <email>`. Throws `CommandError` for an unknown address. */
export const accountVerify = defineCommand({
  description: `Marks the address as verified on your authority: first make sure that the account belongs to the owner of the address.
Afterwards the account can be linked to the single sign-on, and is an operator if the address is in OPERATOR_EMAILS.`,
  examples: ['account verify ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    await withAccount(call, { email, purpose: 'verify address' }, async (person, signIn, { accounts }) => {
      if (await accounts.verifyEmail(person.id, person.email, COMMAND_LINE))
        await signIn.notifyOwner({ kind: 'account.email-verified', userId: person.id, by: COMMAND_LINE })
      call.print({ id: person.id, email: person.email, emailVerified: true }, `Verified ${person.email}.`)
    })
  },
})
