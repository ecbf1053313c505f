import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import type { AuditView } from '../../../src/shared/contract/audit.ts'
import type { DaysView } from '../../../src/shared/contract/explore.ts'
import type { FeedCheckView } from '../../../src/shared/contract/feed-checks.ts'
import type { InvitationPreview, InvitationView } from '../../../src/shared/contract/invitations.ts'
import type { KeyView, RequestView } from '../../../src/shared/contract/keys.ts'
import type { Me, SignInOptions } from '../../../src/shared/contract/me.ts'
import type {
  AccountView,
  AlertChannelView,
  HealthView,
  OperatedOrganization,
} from '../../../src/shared/contract/operator.ts'
import type { MemberView } from '../../../src/shared/contract/organizations.ts'
import type {
  OpenSlotsView,
  SourceActionView,
  SourceDetail,
  SourceView,
} from '../../../src/shared/contract/sources.ts'
import type { UsageView } from '../../../src/shared/contract/usage.ts'
import { api, path, search } from './client.ts'

/**
 * The queries of the dashboard: `useQuery(keysQuery(org))`. A query key starts with the segments
 * of its path, so `invalidateQueries({ queryKey: ['organizations', org, 'keys'] })` refetches everything about an organization's keys.
 */
export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: ({ signal }) => api.get<SignInOptions>('/options', signal),
  staleTime: 5 * MINUTE_MS,
})

/** The signed-in visitor. Fails with a 401 if there is none. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.get<Me>('/me', signal),
  staleTime: MINUTE_MS,
})

export const invitationPreviewQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => api.get<InvitationPreview>(path`/invitations/${token}`, signal),
    retry: false,
  })

export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'members'],
    queryFn: async ({ signal }) =>
      (await api.get<{ members: MemberView[] }>(path`/organizations/${org}/members`, signal)).members,
  })

export const invitationsQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'invitations'],
    queryFn: async ({ signal }) =>
      (await api.get<{ invitations: InvitationView[] }>(path`/organizations/${org}/invitations`, signal))
        .invitations,
  })

export const keysQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'keys'],
    queryFn: async ({ signal }) =>
      (await api.get<{ keys: KeyView[] }>(path`/organizations/${org}/keys`, signal)).keys,
  })

export const keyQuery = (org: string, key: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'keys', key],
    queryFn: ({ signal }) => api.get<KeyView>(path`/organizations/${org}/keys/${key}`, signal),
  })

export const keyRequestsQuery = (org: string, key: string) =>
  queryOptions({
    queryKey: ['organizations', org, 'keys', key, 'requests'],
    queryFn: async ({ signal }) =>
      (await api.get<{ requests: RequestView[] }>(path`/organizations/${org}/keys/${key}/requests`, signal))
        .requests,
  })

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
      api.get<UsageView>(path`/organizations/${org}/usage` + search({ ...range }), signal),
    placeholderData: keepPreviousData,
  })

/** Download URL. */
export const usageCsvUrl = (org: string, range: UsageRange) =>
  `/api${path`/organizations/${org}/usage.csv`}${search({ ...range })}`

export interface AuditSearch {
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
  (await api.get<{ entries: AuditView[] }>(path`/organizations/${org}/audit` + search({ ...filter }), signal))
    .entries

export const auditCsvUrl = (org: string, filter: AuditSearch) =>
  `/api${path`/organizations/${org}/audit.csv`}${search({ ...filter })}`

/** `T` is the body of `/v1/scheduling/slots`; the parameters are passed as they are. */
export const exploreSlotsQuery = <T>(parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'slots', parameters],
    queryFn: ({ signal }) => api.get<T>(`/explore/slots${search(parameters)}`, signal),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const exploreDaysQuery = (parameters: Readonly<Record<string, string | undefined>>) =>
  queryOptions({
    queryKey: ['explore', 'days', parameters],
    queryFn: ({ signal }) => api.get<DaysView>(`/explore/days${search(parameters)}`, signal),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const sourcesQuery = queryOptions({
  queryKey: ['operator', 'sources'],
  queryFn: async ({ signal }) =>
    (await api.get<{ sources: SourceView[] }>('/operator/sources', signal)).sources,
})

export const sourceQuery = (slug: string) =>
  queryOptions({
    queryKey: ['operator', 'sources', slug],
    queryFn: ({ signal }) => api.get<SourceDetail>(path`/operator/sources/${slug}`, signal),
  })

/** One page of the source change log, for an infinite query. */
export const getSourceLog = async (
  filter: { beforeId?: number | undefined; limit: number },
  signal?: AbortSignal,
) =>
  (await api.get<{ actions: SourceActionView[] }>(`/operator/source-log${search({ ...filter })}`, signal))
    .actions

/** Open slots of a source over time; `span` is `14d` or `400d`. */
export const openSlotsQuery = (slug: string, span: string) =>
  queryOptions({
    queryKey: ['operator', 'sources', slug, 'open-slots', span],
    queryFn: ({ signal }) =>
      api.get<OpenSlotsView>(path`/operator/sources/${slug}/open-slots` + search({ span }), signal),
    placeholderData: keepPreviousData,
  })

/** The progress and the result of a feed check. */
export const feedCheckQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'checks', id],
    queryFn: ({ signal }) => api.get<FeedCheckView>(path`/operator/checks/${id}`, signal),
  })

export const operatedOrganizationsQuery = queryOptions({
  queryKey: ['operator', 'organizations'],
  queryFn: async ({ signal }) =>
    (await api.get<{ organizations: OperatedOrganization[] }>('/operator/organizations', signal))
      .organizations,
})

export const accountsQuery = (filter: { search?: string; limit: number; offset: number }) =>
  queryOptions({
    queryKey: ['operator', 'accounts', filter],
    queryFn: ({ signal }) =>
      api.get<{ accounts: AccountView[]; total: number }>(`/operator/accounts${search(filter)}`, signal),
    placeholderData: keepPreviousData,
  })

/** The alert channels. */
export const alertChannelsQuery = queryOptions({
  queryKey: ['operator', 'alerts'],
  queryFn: async ({ signal }) =>
    (await api.get<{ ways: AlertChannelView[] }>('/operator/alerts', signal)).ways,
})

export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: ({ signal }) => api.get<HealthView>('/operator/health', signal),
})
