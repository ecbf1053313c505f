import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { getOrganization, withAccount } from './store-access.ts'

/** `org transfer <org> <email>`. Throws `CommandError` for an unknown organization, and for a person who is no member or the owner. */
export const orgTransfer = defineCommand({
  description: `Makes a member the owner, for example when the owner is gone. The owner becomes an admin, whose account can then be deleted.
A person who is no member joins first: see "invite".`,
  examples: ['org transfer "Good Health" grace@example.org'],
  input: { org: argument(z.string()), email: argument(z.string()) },
  async run(call, { org, email }) {
    await withAccount(call, { email, purpose: 'transfer organization' }, async (person, _signIn, store) => {
      const { id: organizationId, name } = await getOrganization(store, org)
      const of = { organizationId, userId: person.id }
      if (!(await store.memberships.transfer(of, COMMAND_LINE, 'as operator'))) {
        const isOwner = (await store.memberships.find(organizationId, person.id)) === 'owner'
        throw new CommandError(
          isOwner
            ? `Cannot transfer organization: ${person.email} already owns "${name}"`
            : `Cannot transfer organization: ${person.email} is not a member of "${name}"\nInvite: ${PROGRAM} invite ${organizationId} ${person.email}`,
        )
      }
      call.print({ id: organizationId, name, owner: person.email }, `${person.email} owns "${name}".`)
    })
  },
})
