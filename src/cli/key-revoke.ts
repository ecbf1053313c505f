import { COMMAND_LINE } from './actor.ts'
import { type Command, Failure, textOption } from './command.ts'
import { viewKey } from './key-view.ts'
import { parseName } from './parse-operand.ts'
import { PROGRAM } from './program.ts'
import { formatSeconds } from './table.ts'
import { withStore } from './with-store.ts'

/** `key revoke <id>`. Throws `Failure` for an unknown id. */
export const keyRevoke: Command = {
  operands: [{ name: 'id' }],
  options: { reason: { value: '<text>', means: 'why, for whoever reads the list later' } },
  explanation: `Give the id, as "key list" shows it, not the key. A running service refuses the key within a second. It cannot be undone; a
key that was revoked before stays as it was.`,
  examples: [
    'key revoke key_0123456789abcdef0123',
    'key revoke key_0123456789abcdef0123 --reason "left in a public repository"',
  ],
  async run(call) {
    const [id] = call.operands
    const text = textOption(call, 'reason')
    const reason = text === undefined ? undefined : parseName('--reason', text)
    const nowMs = call.clock()
    const { key, organization } = await withStore(call, async (store) => {
      const key = await store.keys.revoke(id, {
        atMs: nowMs,
        by: COMMAND_LINE,
        ...(reason !== undefined && { reason }),
      })
      if (key === undefined) throw new Failure(unknownKey(id))
      return { key, organization: await store.organizations.find(key.organizationId) }
    })
    const view = viewKey(key, organization?.name ?? key.organizationId, nowMs)
    const since = formatSeconds(key.revokedAtMs ?? nowMs)
    call.print(view, `Key ${id} ("${key.name}") of ${view.org} is revoked since ${since}.`)
  },
}

function unknownKey(id: string): string {
  return `Cannot revoke key: id must be that of a key: got "${id}"\nAll of them: ${PROGRAM} key list`
}
