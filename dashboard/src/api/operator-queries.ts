import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OrganizationOrder } from '../../../src/shared/contract/operated-organizations.ts'
import { call } from './client.ts'
import { PAGES, type UsageRange } from './queries.ts'

/** The progress and the result of a feed check. */
export const feedCheckQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'checks', id],
    queryFn: ({ signal }) => call('GET /api/operator/checks/:check', { params: { check: id }, signal }),
  })

/** A page of the organizations, with its offset: until it is there, the rows of the last one are shown. */
export const operatedOrganizationsQuery = (filter: {
  search?: string
  order: OrganizationOrder
  limit: number
  offset: number
}) =>
  queryOptions({
    queryKey: ['operator', 'organizations', filter],
    queryFn: async ({ signal }) => ({
      ...(await call('GET /api/operator/organizations', { query: filter, signal })),
      offset: filter.offset,
    }),
    placeholderData: keepPreviousData,
  })

/** A page of the accounts, with its offset. */
export const accountsQuery = (filter: { search?: string; limit: number; offset: number }) =>
  queryOptions({
    queryKey: ['operator', 'accounts', filter],
    queryFn: async ({ signal }) => ({
      ...(await call('GET /api/operator/accounts', { query: filter, signal })),
      offset: filter.offset,
    }),
    placeholderData: keepPreviousData,
  })

/** An organization as operators see it. */
export const operatedOrganizationQuery = (operated: string) =>
  queryOptions({
    queryKey: ['operator', 'organizations', operated],
    queryFn: ({ signal }) => call('GET /api/operator/organizations/:operated', { params: { operated }, signal }),
  })

export const operatedMemberPages = (operated: string) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['operator', 'organizations', operated, 'members'],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/operator/organizations/:operated/members', { params: { operated }, query: { cursor }, signal }),
    select: ({ pages }) => pages.flatMap(({ members }) => members),
  })

export const operatedKeyPages = (operated: string) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['operator', 'organizations', operated, 'keys'],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/operator/organizations/:operated/keys', { params: { operated }, query: { cursor }, signal }),
    select: ({ pages }) => pages.flatMap(({ keys }) => keys),
  })

export const operatedUsageQuery = (operated: string, range: UsageRange) =>
  queryOptions({
    queryKey: ['operator', 'organizations', operated, 'usage', range],
    queryFn: ({ signal }) =>
      call('GET /api/operator/organizations/:operated/usage', { params: { operated }, query: { ...range }, signal }),
    placeholderData: keepPreviousData,
  })

/** An account as operators see it. */
export const operatedAccountQuery = (user: string) =>
  queryOptions({
    queryKey: ['operator', 'accounts', user],
    queryFn: ({ signal }) => call('GET /api/operator/accounts/:user', { params: { user }, signal }),
  })

/** Operators and viewers of the service. */
export const operatorsQuery = queryOptions({
  queryKey: ['operator', 'operators'],
  queryFn: async ({ signal }) => (await call('GET /api/operator/operators', { signal })).operators,
})

/** The alert channels. */
export const alertChannelsQuery = queryOptions({
  queryKey: ['operator', 'alerts'],
  queryFn: async ({ signal }) => (await call('GET /api/operator/alerts', { signal })).channels,
})

export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: ({ signal }) => call('GET /api/operator/health', { signal }),
})
