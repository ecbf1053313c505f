import { z } from 'zod'
import { counted } from '../lib/text.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, YES } from './command.ts'
import { getOrganization, withStore } from './store-access.ts'

/** `org delete <org>`. Throws `CommandError` for an unknown organization. */
export const orgDelete = defineCommand({
  description: `Revokes the keys of the organization within a second, ends its memberships and invitations, and frees its name. Its audit log
stays. This cannot be undone, so the command asks on a terminal; scripts give --yes.`,
  examples: ['org delete "Good Health"', 'org delete org_0123456789abcdef0123 --yes'],
  input: { org: argument(z.string()), yes: YES },
  async run(call, { org, yes }) {
    await withStore(call, async (store) => {
      const { id, name } = await getOrganization(store, org)
      const [keys, members] = [await store.keys.countActive(id), (await store.memberships.list(id)).length]
      const content = `${counted(keys, 'active key')} and ${counted(members, 'member')}`
      await call.confirm(`Delete organization "${name}" with ${content}? This cannot be undone.`, { yes })
      const revoked = await store.organizations.remove(id, COMMAND_LINE, 'as operator')
      const result = { id, name, revokedKeys: revoked?.length ?? 0, members }
      call.print(result, `Deleted organization "${name}" with ${content}.`)
    })
  },
})
