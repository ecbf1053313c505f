import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, CommandError, defineCommand } from './command.ts'
import { PROGRAM } from './program.ts'
import { withStore } from './store-access.ts'
import { printedDelivery } from './subscription-deliveries.ts'
import { getSubscription } from './subscription-view.ts'

/** `subscription test <id>`. */
export const subscriptionTest = defineCommand({
  description: `Queues an event subscription.test; while the address is not verified, the verification again. The running service sends it within
a second.`,
  examples: ['subscription test sub_0123456789abcdef0123'],
  input: { id: argument(z.string()) },
  async run(call, { id }) {
    const delivery = await withStore(call, async (store) => {
      const subscription = await getSubscription(store, 'test subscription', id)
      return store.subscriptions.sendTest(subscription, COMMAND_LINE)
    })
    if (delivery === undefined) throw new CommandError('Cannot test subscription: it was just deleted')
    call.print(
      printedDelivery(delivery),
      `Queued ${delivery.type} as ${delivery.id}.\nOutcome: ${PROGRAM} subscription deliveries ${id}`,
    )
  },
})
