import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { withAccount } from './store-access.ts'

/** `account end-sessions <email>`. Throws `CommandError` for an unknown address. */
export const accountEndSessions = defineCommand({
  description: `Ends all sessions of the account immediately and forgets its trusted devices. The person can sign in again: to prevent
that, also create a reset link, or suspend the account.`,
  examples: ['account end-sessions ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    await withAccount(call, { email, purpose: 'end sessions' }, async (person, signIn) => {
      await signIn.signOutEverywhere(person.id, COMMAND_LINE)
      call.print({ id: person.id, email: person.email }, `Ended all sessions of ${person.email}.`)
    })
  },
})
