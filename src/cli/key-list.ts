import { type Command, textOption } from './command.ts'
import { getOrganization } from './find-organization.ts'
import { formatKeys, viewKey } from './key-view.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './with-store.ts'

/** `key list`. */
export const keyList: Command = {
  operands: [],
  options: { org: { value: '<name>', means: 'only the keys of this organization: its name or id' } },
  explanation: `Newest first; expired and revoked keys stay in the list. The last use is written at most once a minute, so it may be
that old. The keys themselves cannot be shown: only their hashes are kept.`,
  examples: ['key list', 'key list --org "Good Health" --json'],
  async run(call) {
    const named = textOption(call, 'org')
    const { organizations, keys } = await withStore(call, async (store) => {
      const only = named === undefined ? undefined : await getOrganization(store, named)
      return { keys: await store.keys.list(only?.id), organizations: await store.organizations.list() }
    })
    const names = new Map(organizations.map(({ id, name }) => [id, name]))
    const views = keys.map((key) =>
      viewKey(key, names.get(key.organizationId) ?? key.organizationId, call.clock()),
    )
    const empty = `No keys yet. Create one: ${PROGRAM} key create --org <name>`
    call.print(views, views.length === 0 ? empty : formatKeys(views))
  },
}
