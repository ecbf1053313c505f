import { z } from 'zod'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { argument, defineCommand, YES } from './command.ts'
import { withStore } from './store-access.ts'
import { getSubscription } from './subscription-view.ts'

/** `subscription delete <id>`. Throws `CommandError` for an unknown ID. */
export const subscriptionDelete = defineCommand({
  description: `Deletes a subscription with its deliveries. This cannot be undone, so the command asks on a terminal; scripts give --yes.`,
  examples: ['subscription delete sub_0123456789abcdef0123', 'subscription delete sub_0123456789abcdef0123 --yes'],
  input: { id: argument(z.string()), yes: YES },
  async run(call, { id, yes }) {
    await withStore(call, async (store) => {
      const subscription = await getSubscription(store, 'delete subscription', id)
      const { host } = new URL(subscription.url)
      await call.confirm(`Delete subscription ${id} to ${host}? This cannot be undone.`, { yes })
      await store.subscriptions.remove(subscription, COMMAND_LINE)
      call.print({ id, url: subscription.url }, `Deleted subscription ${id} to ${host}.`)
    })
  },
})
