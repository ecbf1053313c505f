import { z } from 'zod'
import { defined } from '../lib/optional.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import type { KeyEdit } from '../store/contracts/keys.ts'
import { argument, CommandError, defineCommand, option, UsageError } from './command.ts'
import { foundKey, printedKey } from './key-view.ts'
import { withStore } from './store-access.ts'
import { clearValue, KEY_LABELS, nameValue, parseExpiry } from './values.ts'

/** `key edit <id>`. Throws `CommandError` for an unknown ID, and for an inactive key. */
export const keyEdit = defineCommand({
  description: `Changes only the fields that are given; the key itself stays the same. A running service applies the change within a second.
Only active keys can be edited.`,
  examples: [
    'key edit key_0123456789abcdef0123 --name "our app" --note "booking page"',
    'key edit key_0123456789abcdef0123 --networks 203.0.113.7,10.0.0.0/8',
    'key edit key_0123456789abcdef0123 --expires 2030-01-31 --clear note,networks',
  ],
  input: {
    id: argument(z.string()),
    name: option(nameValue.optional(), '<text>', 'new name'),
    ...KEY_LABELS,
    expires: option(
      z.string().optional(),
      '<date>',
      'last day on which the key works, until its end in UTC, or an instant',
    ),
    clear: option(
      clearValue({ note: 'note', expires: 'expiresAtMs', networks: 'networks' }).default({}),
      '<fields>',
      'fields to remove: note, expires (the key never expires), networks (all are allowed)',
    ),
  },
  async run(call, { id, clear, expires, ...given }) {
    const set = defined({ ...given, expiresAtMs: expires === undefined ? undefined : parseExpiry(expires, Date.now()) })
    const edit: KeyEdit = { ...clear, ...set }
    if (Object.keys(clear).some((field) => field in set))
      throw new UsageError('Cannot edit key: a field cannot be both set and cleared')
    if (Object.keys(edit).length === 0) throw new UsageError('Cannot edit key: give at least one field to change')
    const { key, organization } = await withStore(call, async (store) => {
      const found = foundKey(await store.keys.find(id), 'edit', id)
      const { organizationId } = found
      const key = await store.keys.edit({ id, organizationId }, edit, COMMAND_LINE)
      if (key === undefined) throw new CommandError('Cannot edit key: it is not active')
      return { key, organization: await store.organizations.find(organizationId) }
    })
    const view = printedKey(key, organization?.name ?? key.organizationId)
    call.print(view, `Edited key ${id} ("${key.name}") of ${view.org}.`)
  },
})
