import { type Command, Failure } from './command.ts'
import { findPerson, withSignIn } from './with-sign-in.ts'

/** `account delete <email>`. Throws `Failure` for an unknown address, and for whoever owns an organization. */
export const accountDelete: Command = {
  operands: [{ name: 'email' }],
  options: {},
  explanation: `Deletes the account with its sessions, password and passkeys, and ends its memberships. What logs say about it stays. Somebody who
owns an organization must hand it over or delete it first. It cannot be undone.`,
  examples: ['account delete ada@example.org'],
  async run(call) {
    const [email] = call.operands
    const person = await withSignIn(call, async (access) => {
      const found = await findPerson(access, email, 'delete account')
      const removal = await access.signIn.removeAccount(found.id, { name: 'command line' })
      if (removal.outcome === 'owner') throw new Failure(ownsStill(removal.organizations))
      return found
    })
    call.print({ id: person.id, email: person.email }, `The account of ${person.email} is deleted.`)
  },
}

function ownsStill(organizations: readonly string[]): string {
  const names = organizations.map((name) => JSON.stringify(name)).join(', ')
  return `Cannot delete account: it must own no organization: got ${names}`
}
