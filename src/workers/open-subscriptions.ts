import { readAuthSecrets } from '../auth/auth-secrets.ts'
import type { FailedRequest } from '../http/api-context.ts'
import { SubscriptionsHandler } from '../http/v1/subscriptions/serve-subscriptions.ts'
import type { Store } from '../store/contracts/store.ts'
import { SubscriptionChanges } from '../subscriptions/subscription-changes.ts'
import type { DashboardThreadOptions } from './dashboard-messages.ts'

/** Opens the operations of subscriptions on a store. */
export function openSubscriptions({
  options: { account, baseUrl, subscriptions },
  store,
  onError,
}: {
  readonly options: Pick<DashboardThreadOptions, 'account' | 'baseUrl' | 'subscriptions'>
  readonly store: Store
  readonly onError: (error: unknown, request: FailedRequest) => void
}): SubscriptionsHandler {
  const encrypt = async (text: string) => (await readAuthSecrets(account, store.operators)).encrypt(text)
  const changes = new SubscriptionChanges({
    subscriptions: store.subscriptions,
    encrypt,
    ...subscriptions,
    now: store.now,
  })
  return new SubscriptionsHandler({ store, changes, baseUrl, onError })
}
