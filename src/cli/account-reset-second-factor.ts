import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { withAccount } from './store-access.ts'

/** `account reset-second-factor <email>`. Throws `CommandError` for an unknown address, and without two-factor authentication. */
export const accountResetSecondFactor = defineCommand({
  description: `Turns two-factor authentication off for a person who lost the authenticator and the backup codes, and forgets the trusted
devices. The password alone is then enough to sign in: first make sure that the person is the owner of the account.`,
  examples: ['account reset-second-factor ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    const purpose = 'reset second factor'
    await withAccount(call, { email, purpose }, async (person, signIn, { accounts }) => {
      if (!(await accounts.resetSecondFactor(person.id, COMMAND_LINE)))
        throw new CommandError(`Cannot reset second factor: ${person.email} has no two-factor authentication`)
      await signIn.notifyOwner({ kind: 'account.second-factor-removed', userId: person.id, by: COMMAND_LINE })
      call.print({ id: person.id, email: person.email }, `Turned two-factor authentication off for ${person.email}.`)
    })
  },
})
