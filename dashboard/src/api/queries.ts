import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import type { KeyListFilter } from '../../../src/shared/contract/keys.ts'
import type { LogSearch } from '../../../src/shared/contract/logs.ts'
import type { Me } from '../../../src/shared/contract/me.ts'
import { ApiError, call, operationUrl } from './client.ts'

/**
 * The queries of the dashboard: `useQuery(keyQuery(org, key))`. A query key starts with the segments
 * of its path, so `invalidateQueries({ queryKey: ['organizations', org, 'keys'] })` refetches everything about an organization's keys.
 */
export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: ({ signal }) => call('GET /api/options', { signal }),
  staleTime: 5 * MINUTE_MS,
})

/** The signed-in visitor, or null. Fails with a 401 once a session has ended, also if another tab began one of another account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ client, signal }) => {
    const me = await call('GET /api/me', { signal })
    const before = client.getQueryData<Me | null>(['me'])
    if (before && me?.userId !== before.userId)
      throw new ApiError({ status: 401, code: me ? 'other-account' : 'session-required', message: 'Sign in again.' })
    return me
  },
  staleTime: ({ state }) => (state.data ? MINUTE_MS : 0),
})

/** The limits of this installation. */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => call('GET /api/limits', { signal }),
  staleTime: 5 * MINUTE_MS,
})

export const invitationPreviewQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => call('POST /api/invitations/lookup', { body: { token }, signal }),
    retry: false,
  })

/** The pages of a list, from the first one on. */
export const PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { readonly next?: string }) => last.next,
}

/** An interval at which a list is read again: of several pages less often, so that it takes one request per `ms`. */
export const intervalOfPages =
  (ms: number) =>
  ({ state }: { readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined } }): number =>
    ms * (state.data?.pages.length ?? 1)

export const memberPages = (org: string) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'members'],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/members', { params: { org }, query: { cursor }, signal }),
    select: ({ pages }) => pages.flatMap(({ members }) => members),
  })

/** The members whom a required second factor would lock out. */
export const lackingSecondFactorQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'members', 'second-factor'],
    queryFn: ({ signal }) => call('GET /api/organizations/:org/second-factor', { params: { org }, signal }),
  })

export const invitationPages = (org: string) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'invitations'],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/invitations', { params: { org }, query: { cursor }, signal }),
    select: ({ pages }) => pages.flatMap(({ invitations }) => invitations),
  })

/** Active keys come first. `active` counts those of all pages. */
export const keyPages = (org: string, filter: KeyListFilter = {}) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'keys', '', 'pages', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/keys', { params: { org }, query: { ...filter, cursor }, signal }),
    // Another filter keeps the list that is shown; another organization does not.
    placeholderData: (shown, query) => (query?.queryKey[1] === org ? shown : undefined),
    select: ({ pages }) => ({ keys: pages.flatMap(({ keys }) => keys), active: pages[0].active }),
  })

export const keyQuery = (org: string, key: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'keys', key],
    queryFn: ({ signal }) => call('GET /api/organizations/:org/keys/:key', { params: { org, key }, signal }),
  })

export const keyAddressesQuery = (org: string, key: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'keys', key, 'addresses'],
    queryFn: ({ signal }) => call('GET /api/organizations/:org/keys/:key/addresses', { params: { org, key }, signal }),
  })

/** The newest requests. */
export const logQuery = (org: string, filter: LogSearch, limit: number) =>
  queryOptions({
    queryKey: ['organizations', org, 'logs', filter, limit],
    queryFn: async ({ signal }) =>
      (await call('GET /api/organizations/:org/logs', { params: { org }, query: { ...filter, limit }, signal }))
        .entries,
  })

/** The pages of the log. A live log, which is read again every second, begins with one page. */
export const logPages = (org: string, filter: LogSearch, isLive: boolean) =>
  infiniteQueryOptions({
    ...PAGES,
    queryKey: ['organizations', org, 'logs', 'pages', filter, isLive],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/organizations/:org/logs', { params: { org }, query: { ...filter, cursor }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? 1000 : false,
    retry: false,
  })

export const logEntryQuery = (org: string, request: string, entry?: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'logs', 'entry', request, entry],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/:org/logs/:request', { params: { org, request }, query: { entry }, signal }),
    retry: false,
  })

export const logCsvUrl = (org: string, filter: LogSearch) =>
  operationUrl('GET /api/organizations/:org/logs.csv', { params: { org }, query: { ...filter } })

/** Whole hours; `toMs` is exclusive. */
export interface UsageRange {
  readonly fromMs: number
  readonly toMs: number
  readonly key?: string | undefined
}

export const usageQuery = (org: string, range: UsageRange) =>
  queryOptions({
    queryKey: ['organizations', org, 'usage', range],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/:org/usage', { params: { org }, query: { ...range }, signal }),
    placeholderData: keepPreviousData,
  })

export const topQueriesQuery = (org: string, range: UsageRange) =>
  queryOptions({
    queryKey: ['organizations', org, 'usage', 'queries', range],
    queryFn: ({ signal }) =>
      call('GET /api/organizations/:org/usage/queries', { params: { org }, query: { ...range }, signal }),
    placeholderData: keepPreviousData,
  })

/** Download URL. */
export const usageCsvUrl = (org: string, range: UsageRange) =>
  operationUrl('GET /api/organizations/:org/usage.csv', { params: { org }, query: { ...range } })

export interface AuditSearch {
  readonly signIns?: 'false' | undefined
  readonly kind?: string | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly beforeId?: number | undefined
  readonly limit?: number | undefined
}

export const auditQuery = (org: string, filter: AuditSearch) =>
  queryOptions({
    queryKey: ['organizations', org, 'audit', filter],
    queryFn: ({ signal }) => getAudit(org, filter, signal),
  })

/** One page of the log, for an infinite query. */
export const getAudit = async (org: string, filter: AuditSearch, signal?: AbortSignal) =>
  (await call('GET /api/organizations/:org/audit', { params: { org }, query: { ...filter }, signal })).entries

export const auditCsvUrl = (org: string, filter: AuditSearch) =>
  operationUrl('GET /api/organizations/:org/audit.csv', { params: { org }, query: { ...filter } })

/** As `getAudit()`, of the log of the service. */
export const getServiceAudit = async (filter: AuditSearch, signal?: AbortSignal) =>
  (await call('GET /api/operator/audit', { query: { ...filter }, signal })).entries

export const serviceAuditCsvUrl = (filter: AuditSearch) =>
  operationUrl('GET /api/operator/audit.csv', { query: { ...filter } })

/** The pages of the security log of an account, for operators; without a user ID, of the visitor's. */
export const securityLogPages = (user: string | undefined, signIns: 'false' | undefined) =>
  infiniteQueryOptions({
    queryKey: ['auth', 'security-log', user, signIns],
    queryFn: async ({ pageParam: beforeId, signal }) => {
      const page = { signIns, beforeId, limit: SECURITY_LOG_PAGE }
      if (user !== undefined) return getServiceAudit({ ...page, subject: user }, signal)
      return (await call('GET /api/me/security-log', { query: page, signal })).entries
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < SECURITY_LOG_PAGE ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flat(),
  })

const SECURITY_LOG_PAGE = 10

export const securityLogCsvUrl = (user: string | undefined, signIns: 'false' | undefined) =>
  user === undefined
    ? operationUrl('GET /api/me/security-log.csv', { query: { signIns } })
    : serviceAuditCsvUrl({ subject: user, signIns })

/** `T` is the body of `/v1/scheduling/slots`; the parameters are passed as they are. */
export const exploreSlotsQuery = (parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'slots', parameters],
    queryFn: ({ signal }) => call('GET /api/explore/slots', { query: parameters, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const exploreCsvUrl = (parameters: Readonly<Record<string, string | undefined>>) =>
  operationUrl('GET /api/explore/slots.csv', { query: parameters })

export const exploreFacetsQuery = (parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'facets', parameters],
    queryFn: ({ signal }) => call('GET /api/explore/facets', { query: parameters, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Places by ZIP code or the beginning of a city's name. */
export const placesQuery = (text: string) =>
  queryOptions({
    queryKey: ['explore', 'places', text],
    queryFn: ({ signal }) => call('GET /api/explore/places', { query: { text }, signal }),
    staleTime: 5 * MINUTE_MS,
    retry: false,
  })

/** The values of a filter among the slots that match the others. */
export const suggestionsQuery = (parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'suggestions', parameters],
    queryFn: ({ signal }) => call('GET /api/explore/suggestions', { query: parameters, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const exploreDaysQuery = (parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'days', parameters],
    queryFn: ({ signal }) => call('GET /api/explore/days', { query: parameters, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
