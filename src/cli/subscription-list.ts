import { z } from 'zod'
import { defined } from '../lib/optional.ts'
import { SUBSCRIPTION_STATUSES } from '../shared/subscription-vocabulary.ts'
import { defineCommand, option } from './command.ts'
import { PROGRAM } from './program.ts'
import { getOrganization, withStore } from './store-access.ts'
import { formatSubscriptions, printedSubscription } from './subscription-view.ts'
import { wordValue } from './values.ts'

/** `subscription list`. */
export const subscriptionList = defineCommand({
  description: `Newest first, of one organization. FILTERS are those of the list of slots, "all slots" without any. HELD BACK counts
slots that opened and were not announced: those of a source's first snapshot or of a held source, those that returned within ten
minutes, and those after a gap in the change log.`,
  examples: ['subscription list --org "Good Health"', 'subscription list --org "Good Health" --status disabled --json'],
  input: {
    org: option(z.string(), '<name>', 'organization: its name or ID'),
    status: option(
      wordValue(SUBSCRIPTION_STATUSES).optional(),
      '<status>',
      `only subscriptions that are ${SUBSCRIPTION_STATUSES.join(', ')}`,
    ),
  },
  async run(call, { org, status }) {
    const found = await withStore(call, async (store) => {
      const { id } = await getOrganization(store, org)
      return store.subscriptions.list(id, undefined, defined({ status }))
    })
    const views = found.map(printedSubscription)
    call.print(views, formatSubscriptions(views, `No subscriptions. Create one: ${PROGRAM} subscription create --help`))
  },
})
