import { z } from 'zod'
import { readAuthSecrets } from '../auth/auth-secrets.ts'
import { defined } from '../lib/optional.ts'
import { SUBSCRIPTION_EVENTS, SUBSCRIPTION_LIMITS } from '../shared/subscription-vocabulary.ts'
import { InvalidParameter } from '../slot/query-parameter.ts'
import { COMMAND_LINE } from '../store/contracts/audit.ts'
import { LimitReached, type Store } from '../store/contracts/store.ts'
import { filtersOfQuery, SubscriptionChanges } from '../subscriptions/subscription-changes.ts'
import { type Call, CommandError, defineCommand, flag, option, UsageError } from './command.ts'
import { getOrganization, requireAuthSecret, withStore } from './store-access.ts'
import { printedSubscription } from './subscription-view.ts'
import { formatInstant } from './table.ts'
import { countValue, parseExpiry } from './values.ts'

/** `subscription create --org <name> --url <url>`: the only place where the command line prints its secret. */
export const subscriptionCreate = defineCommand({
  description: `The secret is printed once, as the only text on standard output, so WEBHOOK_SECRET=$(…) works. The running service verifies the
address before it sends anything else.`,
  examples: [
    'subscription create --org "Good Health" --url https://example.org/slots --filters "state=MA&isVirtual=true"',
    'subscription create --org "Good Health" --url https://example.org/slots --interval 300 --closed --json',
  ],
  input: {
    org: option(z.string(), '<name>', 'organization that owns the subscription: its name or ID'),
    url: option(z.string(), '<url>', 'address of the receiver, https'),
    filters: option(z.string().default(''), '<query>', 'filters as in the list of slots (default: all slots)'),
    description: option(z.string().optional(), '<text>', 'a line for people'),
    interval: option(
      countValue(SUBSCRIPTION_LIMITS.minIntervalSeconds.max).optional(),
      '<seconds>',
      'minimum time between two events, 1 to 86400 (default: 60)',
    ),
    closed: flag('also announce slots that are gone'),
    expires: option(z.string().optional(), '<date>', 'last day, until its end in UTC, or an instant (default: never)'),
  },
  async run(call, { org, url, filters, description, interval, closed, expires }) {
    const input = {
      url,
      filters: filtersOfQuery(filters),
      description,
      minIntervalSeconds: interval,
      events: closed ? [...SUBSCRIPTION_EVENTS] : undefined,
      expiresAt: expires === undefined ? undefined : formatInstant(parseExpiry(expires, Date.now())),
    }
    const { subscription, secret } = await withStore(call, async (store) => {
      const { id } = await getOrganization(store, org)
      const changes = await openChanges(call, store)
      return changes.create(defined(input), { organizationId: id, by: COMMAND_LINE })
    }).catch((error: unknown) => {
      if (error instanceof InvalidParameter) throw usageError(error)
      if (error instanceof LimitReached)
        throw new CommandError('Cannot create subscription: the organization has as many as SUBSCRIPTIONS_MAX allows')
      throw error
    })
    call.print({ ...printedSubscription(subscription), secret }, secret)
    call.note(
      `Subscription ${subscription.id} is pending until its receiver returns the challenge. Store the secret safely: it is not shown again.`,
    )
  },
})

/** The parameters have the names of the options; one of the filters is in `--filters`. */
function usageError({ parameter, message }: InvalidParameter): UsageError {
  return new UsageError(`Invalid --${parameter.replace(/\..*/, '')}: ${message}`)
}

/** Changes subscriptions as the API does. */
export async function openChanges(call: Call, store: Store): Promise<SubscriptionChanges> {
  const { account, subscriptions } = call.config
  return new SubscriptionChanges({
    subscriptions: store.subscriptions,
    encrypt: async (text) => {
      await requireAuthSecret(call, store)
      return (await readAuthSecrets(account, store.operators)).encrypt(text)
    },
    ...subscriptions,
    now: store.now,
  })
}
