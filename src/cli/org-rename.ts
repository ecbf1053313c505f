import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand } from './command.ts'
import { getOrganization, withStore } from './store-access.ts'
import { nameValue } from './values.ts'

/** `org rename <org> <name>`. Throws `CommandError` for an unknown organization, and `NameTaken`. */
export const orgRename = defineCommand({
  description: 'Keys, members and links keep working. The new name must be unique, ignoring case.',
  examples: ['org rename "Good Health" "Better Health"'],
  input: { org: argument(z.string()), name: argument(nameValue) },
  async run(call, { org, name }) {
    await withStore(call, async (store) => {
      const old = await getOrganization(store, org)
      await store.organizations.rename(old.id, name, COMMAND_LINE)
      call.print({ id: old.id, name, previousName: old.name }, `Renamed organization "${old.name}" to "${name}".`)
    })
  },
})
