import { z } from 'zod'
import { InvalidParameter } from '../slot/query-parameter.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { openChanges } from './subscription-create.ts'
import { getSubscription, printedSubscription } from './subscription-view.ts'

/** `subscription pause <id>`. */
export const subscriptionPause = statusCommand(
  'paused',
  'pause',
  'Its queued events are canceled, and slots that open meanwhile are not announced later.',
)

/** `subscription resume <id>`. */
export const subscriptionResume = statusCommand(
  'active',
  'resume',
  'Slots that open from now on are announced. A subscription that was disabled is verified again first.',
)

function statusCommand(status: 'active' | 'paused', verb: string, description: string) {
  return defineCommand({
    description,
    examples: [`subscription ${verb} sub_0123456789abcdef0123`],
    input: { id: argument(z.string()) },
    async run(call, { id }) {
      const changed = await withStore(call, async (store) => {
        const subscription = await getSubscription(store, `${verb} subscription`, id)
        const changes = await openChanges(call, store)
        return (await changes.edit(subscription, { status }, COMMAND_LINE)) ?? subscription
      }).catch((error: unknown) => {
        throw error instanceof InvalidParameter
          ? new CommandError(`Cannot ${verb} subscription: ${error.message}`)
          : error
      })
      call.print(printedSubscription(changed), `Subscription ${id} is ${changed.status}.`)
    },
  })
}
