import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, option, YES } from './command.ts'
import { foundKey, printedKey } from './key-view.ts'
import { withStore } from './store-access.ts'
import { formatSeconds } from './table.ts'
import { nameValue } from './values.ts'

/** `key revoke <id>`. Throws `CommandError` for an unknown ID. */
export const keyRevoke = defineCommand({
  description: `Takes the key's ID, as "key list" prints it, not the key. A running service rejects the key within a second. This cannot be
undone, so the command asks on a terminal; scripts give --yes. Revoking a revoked key changes nothing.`,
  examples: [
    'key revoke key_0123456789abcdef0123',
    'key revoke key_0123456789abcdef0123 --reason "left in a public repository" --yes',
  ],
  input: {
    id: argument(z.string()),
    reason: option(nameValue.optional(), '<text>', 'reason, shown in the list of keys and the audit log'),
    yes: YES,
  },
  async run(call, { id, reason, yes }) {
    const { key, organization } = await withStore(call, async (store) => {
      const found = await store.keys.find(id)
      if (found !== undefined && found.revokedAtMs === undefined) {
        const used = found.lastUsedAtMs === undefined ? 'never used' : `last used ${formatSeconds(found.lastUsedAtMs)}`
        const question = `Revoke key ${id} ("${found.name}", ${used})? This cannot be undone.`
        await call.confirm(question, { yes, mayWarn: true })
      }
      const revocation = { atMs: store.now(), by: COMMAND_LINE, ...(reason !== undefined && { reason }) }
      const key = foundKey(await store.keys.revoke(id, revocation), 'revoke', id)
      return { key, organization: await store.organizations.find(key.organizationId) }
    })
    const view = printedKey(key, organization?.name ?? key.organizationId)
    const since = key.revokedAtMs === undefined ? '' : ` at ${formatSeconds(key.revokedAtMs)}`
    call.print(view, `Revoked key ${id} ("${key.name}") of ${view.org}${since}.`)
  },
})
