import { z } from 'zod'
import { argument, CommandError, defineCommand } from './command.ts'
import { getPerson, withSignIn } from './store-access.ts'

/** `account delete <email>`. Throws `CommandError` for an unknown address, and for the owner of an organization. */
export const accountDelete = defineCommand({
  description: `Deletes the account with its sessions, password and passkeys, and ends its memberships. Log entries about it stay. The
owner of an organization must transfer or delete it first. This cannot be undone.`,
  examples: ['account delete ada@example.org'],
  input: { email: argument(z.string()) },
  async run(call, { email }) {
    const person = await withSignIn(call, async (access) => {
      const found = await getPerson(access, email, 'delete account')
      const removal = await access.signIn.removeAccount(found.id, { name: 'command line' })
      if (removal.outcome === 'owner') {
        const names = removal.organizations.map((name) => JSON.stringify(name)).join(', ')
        throw new CommandError(`Cannot delete account: it owns ${names}. Transfer or delete the organization first.`)
      }
      return found
    })
    call.print({ id: person.id, email: person.email }, `Deleted the account of ${person.email}.`)
  },
})
