import { z } from 'zod'
import { counted } from '../lib/text.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, YES } from './command.ts'
import { LAST_FLAG, lastOperatorError } from './operator-change.ts'
import { withAccount } from './store-access.ts'

/** `account delete <email>`. Throws `CommandError` for an unknown address, the owner of an organization, and the last operator without `--last`. */
export const accountDelete = defineCommand({
  description: `Deletes the account with its sessions, password and passkeys, and ends its memberships. Log entries about it stay. The
owner of an organization must transfer or delete it first. This cannot be undone, so the command asks on a terminal; scripts
give --yes.`,
  examples: ['account delete ada@example.org'],
  input: { email: argument(z.string()), last: LAST_FLAG, yes: YES },
  async run(call, { email, last, yes }) {
    await withAccount(call, { email, purpose: 'delete account' }, async (person, signIn, store) => {
      const memberships = await store.memberships.listOfUser(person.id)
      const content = `its sessions, passkeys and ${counted(memberships.length, 'membership')}`
      const question = `Delete the account of ${person.email} with ${content}? This cannot be undone.`
      const isOwner = memberships.some(({ role }) => role === 'owner')
      if (!isOwner) await call.confirm(question, { yes, mayWarn: true })
      const allowNone = last || call.config.account.operatorEmails.length > 0
      const removal = await signIn.removeAccount(person.id, { by: COMMAND_LINE, allowNone })
      if (removal.outcome === 'owner') {
        const names = removal.organizations.map((name) => JSON.stringify(name)).join(', ')
        throw new CommandError(`Cannot delete account: it owns ${names}. Transfer or delete the organization first.`)
      }
      if (removal.outcome === 'last-operator') throw lastOperatorError('delete account', person.email)
      const { id: userId, email } = person
      await signIn.notifyOwner({ kind: 'account.deleted', userId, by: COMMAND_LINE, email })
      call.print({ id: userId, email }, `Deleted the account of ${person.email}.`)
    })
  },
})
