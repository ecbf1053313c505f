import { z } from 'zod'
import { argument, defineCommand } from './command.ts'
import { withStore } from './store-access.ts'
import { getSubscription, printedSubscription } from './subscription-view.ts'

/** `subscription show <id>`. Throws `CommandError` for an unknown ID. */
export const subscriptionShow = defineCommand({
  description:
    'Settings, status and counts of a subscription. The secret cannot be shown: rotate it in the dashboard or the API.',
  examples: ['subscription show sub_0123456789abcdef0123'],
  input: { id: argument(z.string()) },
  async run(call, { id }) {
    const view = await withStore(call, async (store) =>
      printedSubscription(await getSubscription(store, 'show subscription', id)),
    )
    const lines = Object.entries(view).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name.padEnd(20)}${text === '' ? 'all slots' : text}`
    })
    call.print(view, lines.join('\n'))
  },
})
