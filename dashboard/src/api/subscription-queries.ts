import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type {
  NewSubscriptionBody,
  SubscriptionEditBody,
  SubscriptionListFilter,
} from '../../../src/shared/contract/subscriptions.ts'
import { call } from './client.ts'
import { PAGES } from './queries.ts'

/** `queue` is of the whole organization. */
export const subscriptionPages = (org: string, filter: SubscriptionListFilter = {}) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'subscriptions', '', 'pages', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/subscriptions', { params: { org }, query: { ...filter, cursor }, signal }),
    // Another filter keeps the list that is shown; another organization does not.
    placeholderData: (shown, query) => (query?.queryKey[1] === org ? shown : undefined),
    select: ({ pages }) => ({
      subscriptions: pages.flatMap(({ subscriptions }) => subscriptions),
      queue: pages[0].queue,
    }),
  })

export const subscriptionQuery = (org: string, subscription: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'subscriptions', subscription],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/:org/subscriptions/:subscription', { params: { org, subscription }, signal }),
  })

/** Newest first. */
export const deliveryPages = (org: string, subscription: string) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'subscriptions', subscription, 'deliveries'],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/subscriptions/:subscription/deliveries', {
        params: { org, subscription },
        query: { cursor, limit: 25 },
        signal,
      }),
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  })

export const deliveryQuery = (org: string, subscription: string, delivery: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'subscriptions', subscription, 'deliveries', delivery],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/:org/subscriptions/:subscription/deliveries/:delivery', {
        params: { org, subscription, delivery },
        signal,
      }),
  })

/** Changes an organization's subscriptions, then refetches them and its audit log. Every function throws `ApiError`. */
export function useSubscriptionMutations(org: string) {
  const client = useQueryClient()
  const refetchAfter = async <T>(request: Promise<T>, part: readonly string[] = []): Promise<T> => {
    const result = await request
    void client.invalidateQueries({ queryKey: ['organizations', org, 'subscriptions', ...part] })
    void client.invalidateQueries({ queryKey: ['organizations', org, 'audit'] })
    return result
  }
  const path = '/api/organizations/:org/subscriptions' as const
  return {
    create: (body: NewSubscriptionBody) => refetchAfter(call(`POST ${path}`, { params: { org }, body })),
    edit: (subscription: string, body: SubscriptionEditBody) =>
      refetchAfter(call(`PATCH ${path}/:subscription`, { params: { org, subscription }, body })),
    rotate: (subscription: string) =>
      refetchAfter(call(`POST ${path}/:subscription/rotate-secret`, { params: { org, subscription } })),
    test: (subscription: string) =>
      refetchAfter(call(`POST ${path}/:subscription/test`, { params: { org, subscription } })),
    // The subscription's page may still be open and must not refetch.
    remove: (subscription: string) =>
      refetchAfter(call(`DELETE ${path}/:subscription`, { params: { org, subscription } }), ['']),
    retry: (subscription: string, delivery: string) =>
      refetchAfter(
        call(`POST ${path}/:subscription/deliveries/:delivery/retry`, { params: { org, subscription, delivery } }),
      ),
  }
}
