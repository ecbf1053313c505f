import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { withAccount } from './store-access.ts'

/** `account delete <email>`. Throws `CommandError` for an unknown address, and for the owner of an organization. */
export const accountDelete = defineCommand({
  description: `Deletes the account with its sessions, password and passkeys, and ends its memberships. Log entries about it stay. The
owner of an organization must transfer or delete it first. This cannot be undone.`,
  examples: ['account delete ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    await withAccount(call, { email, purpose: 'delete account' }, async (person, signIn) => {
      const removal = await signIn.removeAccount(person.id, { by: COMMAND_LINE, allowNone: true })
      if (removal.outcome === 'owner') {
        const names = removal.organizations.map((name) => JSON.stringify(name)).join(', ')
        throw new CommandError(`Cannot delete account: it owns ${names}. Transfer or delete the organization first.`)
      }
      call.print({ id: person.id, email: person.email }, `Deleted the account of ${person.email}.`)
    })
  },
})
