import { z } from 'zod'
import { defineCommand, option } from './command.ts'
import { formatKeys, printedKey } from './key-view.ts'
import { PROGRAM } from './program.ts'
import { getOrganization, withStore } from './store-access.ts'

/** `key list`. */
export const keyList = defineCommand({
  description: `Newest first, including expired and revoked keys. The last use is updated at most once a minute. The keys themselves
cannot be shown: only their hashes are stored.`,
  examples: ['key list', 'key list --org "Good Health" --json'],
  input: { org: option(z.string().optional(), '<name>', 'only keys of this organization: its name or ID') },
  async run(call, { org }) {
    const { organizations, keys } = await withStore(call, async (store) => {
      const only = org === undefined ? undefined : await getOrganization(store, org)
      return { keys: await store.keys.list(only?.id), organizations: await store.organizations.list() }
    })
    const names = new Map(organizations.map(({ id, name }) => [id, name]))
    const views = keys.map((key) => printedKey(key, names.get(key.organizationId) ?? key.organizationId))
    call.print(views, formatKeys(views, `No keys yet. Create one: ${PROGRAM} key create --org <name>`))
  },
})
