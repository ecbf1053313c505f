import { z } from 'zod'
import { SUSPENSION_REASON } from '../shared/contract/suspension.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand, option } from './command.ts'
import { getOrganization, withStore } from './store-access.ts'

/** `org suspend <org>`. Throws `CommandError` for an unknown or suspended organization. */
export const orgSuspend = defineCommand({
  description: `Requests with keys of the organization get 403 within a second, on all nodes. Its members see the reason, and can only read,
revoke keys and leave until "org resume".`,
  examples: ['org suspend "Good Health" --reason "Requests from unknown networks"'],
  input: {
    org: argument(z.string()),
    reason: option(SUSPENSION_REASON, '<text>', 'reason, shown to the members of the organization'),
  },
  async run(call, { org, reason }) {
    await withStore(call, async (store) => {
      const { id, name } = await getOrganization(store, org)
      const keys = await store.organizations.suspend(id, reason, COMMAND_LINE)
      if (keys === undefined) throw new CommandError(`Cannot suspend organization: it is already suspended: "${name}"`)
      call.print(
        { id, name, suspended: true, keys: keys.length },
        `Suspended "${name}": ${keysOf(keys.length)} refused.`,
      )
    })
  },
})

/** `org resume <org>`. Throws `CommandError` for an unknown organization, or one that is not suspended. */
export const orgResume = defineCommand({
  description: 'The keys of a suspended organization work again within a second, on all nodes.',
  examples: ['org resume "Good Health"'],
  input: { org: argument(z.string()) },
  async run(call, { org }) {
    await withStore(call, async (store) => {
      const { id, name } = await getOrganization(store, org)
      const keys = await store.organizations.resume(id, COMMAND_LINE)
      if (keys === undefined) throw new CommandError(`Cannot resume organization: it is not suspended: "${name}"`)
      call.print(
        { id, name, suspended: false, keys: keys.length },
        `Resumed "${name}": ${keysOf(keys.length)} accepted.`,
      )
    })
  },
})

function keysOf(count: number): string {
  return count === 1 ? '1 key is' : `${count} keys are`
}
