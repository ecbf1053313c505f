import { defined } from '../../../lib/optional.ts'
import { MINUTE_MS } from '../../../lib/time.ts'
import { SUBSCRIPTION_CONTRACT } from '../../../shared/contract/subscriptions.ts'
import { invalidField, notFound, orNotFound, throttled } from '../../../shared/dashboard-problem.ts'
import { InvalidParameter } from '../../../slot/query-parameter.ts'
import { RateLimitReached, type Store } from '../../../store/contracts/store.ts'
import { type SubscriptionId, subscriptionPosition } from '../../../store/contracts/subscriptions.ts'
import { readPage } from '../page.ts'
import { implement, type OrganizationRequest, withinLimit } from '../route.ts'
import { subscriptionInput, viewDelivery, viewDeliveryDetail, viewSubscription } from './subscription-view.ts'

export const subscriptionRoutes = implement(SUBSCRIPTION_CONTRACT, {
  'GET /api/organizations/:org/subscriptions': async ({ context, organization, query }) => {
    const { subscriptions } = context.store
    const { search, status, sort, ...page } = query
    const filter = defined({ search: search?.trim(), status, sort })
    const { rows, next } = await readPage(
      page,
      (request) => subscriptions.list(organization.id, request, filter),
      (subscription) => subscriptionPosition(subscription, sort),
    )
    const queue = await subscriptions.summary(organization.id)
    return { subscriptions: rows.map((row) => viewSubscription(row, context.now())), queue, ...next }
  },

  'POST /api/organizations/:org/subscriptions': async ({ context, organization, actor, body }) => {
    const { subscription, secret } = await withinLimit(
      () =>
        checked(() =>
          context.subscriptions.create(subscriptionInput(body), { organizationId: organization.id, by: actor }),
        ),
      'Your organization has as many subscriptions as are allowed. Delete an unused one first.',
    )
    return { subscription: viewSubscription(subscription, context.now()), secret }
  },

  'GET /api/organizations/:org/subscriptions/:subscription': async (request) => {
    const { context } = request
    return viewSubscription(found(await context.store.subscriptions.find(idOf(request))), context.now())
  },

  'PATCH /api/organizations/:org/subscriptions/:subscription': async (request) => {
    const { context, actor, body } = request
    const edited = found(await checked(() => context.subscriptions.edit(idOf(request), subscriptionInput(body), actor)))
    return viewSubscription(edited, context.now())
  },

  'DELETE /api/organizations/:org/subscriptions/:subscription': async (request) => {
    const isRemoved = await request.context.store.subscriptions.remove(idOf(request), request.actor)
    if (!isRemoved) throw notFound('subscription')
  },

  'POST /api/organizations/:org/subscriptions/:subscription/rotate-secret': async (request) => {
    const { context, actor } = request
    const rotated = await checked(() => context.subscriptions.rotateSecret(idOf(request), actor))
    const { subscription, secret } = found(rotated)
    return { subscription: viewSubscription(subscription, context.now()), secret }
  },

  'POST /api/organizations/:org/subscriptions/:subscription/test': async (request) => {
    const { subscriptions } = request.context.store
    return viewDelivery(found(await checked(() => subscriptions.sendTest(idOf(request), request.actor))))
  },

  'GET /api/organizations/:org/subscriptions/:subscription/deliveries': async (request) => {
    const { limit, cursor } = request.query
    const { subscriptions } = request.context.store
    const { rows, next } = await readPage(
      { limit, cursor },
      async ({ limit, after }) =>
        found(await subscriptions.deliveries(idOf(request), { limit, ...defined({ beforeSequence: after?.rank }) })),
      ({ sequence, createdAtMs, id }) => ({ rank: sequence, atMs: createdAtMs, id }),
    )
    return { deliveries: rows.map(viewDelivery), ...next }
  },

  'GET /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery': async (request) => {
    const { baseUrl, store } = request.context
    const { subscriptions } = store
    const [subscription, delivery] = await Promise.all([
      subscriptions.find(idOf(request)),
      subscriptions.delivery(idOf(request), request.params.delivery),
    ])
    if (delivery === undefined) throw notFound('delivery')
    return viewDeliveryDetail(delivery, found(subscription), { baseUrl, store: await storeNumber(store) })
  },

  'POST /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery/retry': async (request) => {
    const { subscriptions } = request.context.store
    const { delivery } = request.params
    const queued = await checked(() => subscriptions.retry(idOf(request), delivery, request.actor))
    if (queued === undefined) throw notFound('delivery')
    return viewDelivery(queued)
  },
})

function idOf(request: OrganizationRequest & { readonly params: { readonly subscription: string } }): SubscriptionId {
  return { id: request.params.subscription, organizationId: request.organization.id }
}

/** Identifies the store in revisions. */
async function storeNumber({ changeLog }: Store): Promise<number> {
  const log = await changeLog.open()
  await log.close()
  return log.store
}

/** Throws the problem `not-found` for nothing. */
function found<T>(value: T | undefined): T {
  return orNotFound(value, 'subscription')
}

/** Throws the problem of an invalid field, whose filters have their own names, or of too many requests in a minute. */
async function checked<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof RateLimitReached) throw throttled('too-many-changes', `${error.message}.`, MINUTE_MS)
    if (!(error instanceof InvalidParameter)) throw error
    const field = error.parameter.replace(/^filters\./, '')
    throw invalidField(error.message, field === 'expiresAt' ? 'expiresAtMs' : field)
  }
}
