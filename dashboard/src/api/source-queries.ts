import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { MINUTE_MS } from '../../../src/lib/time.ts'
import type { SourceFilter, SourceOrder } from '../../../src/shared/source-vocabulary.ts'
import { call } from './client.ts'

/** A page of the sources, and counts of all. */
export const sourcesQuery = (filter: {
  search?: string | undefined
  health?: SourceFilter | undefined
  reason?: string | undefined
  order?: SourceOrder | undefined
  limit: number
  offset: number
}) =>
  queryOptions({
    queryKey: ['operator', 'sources', '', 'page', filter],
    queryFn: ({ signal }) => call('GET /api/operator/sources', { query: filter, signal }),
    placeholderData: keepPreviousData,
  })

/** The number of sources on a page of the list. */
export const SOURCES_PER_PAGE = 50

/** The list as it is without a query in the URL. */
export const firstSourcesQuery = sourcesQuery({ order: 'health', limit: SOURCES_PER_PAGE, offset: 0 })

/** Counts of all sources, and the most frequent reasons for attention. */
export const sourceSummaryQuery = queryOptions({
  queryKey: ['operator', 'sources', '', 'summary'],
  queryFn: ({ signal }) => call('GET /api/operator/source-summary', { signal }),
  refetchInterval: MINUTE_MS,
})

export const sourceQuery = (slug: string) =>
  queryOptions({
    queryKey: ['operator', 'sources', slug],
    queryFn: ({ signal }) => call('GET /api/operator/sources/:slug', { params: { slug }, signal }),
  })

/** One page of the source change log, for an infinite query. */
export const getSourceLog = (filter: { beforeId?: number | undefined; limit: number }, signal?: AbortSignal) =>
  call('GET /api/operator/source-log', { query: { ...filter }, signal })

/** Open slots of a source over time; `span` is `14d` or `400d`. */
export const openSlotsQuery = (slug: string, span: string) =>
  queryOptions({
    queryKey: ['operator', 'sources', slug, 'open-slots', span],
    queryFn: ({ signal }) =>
      call('GET /api/operator/sources/:slug/open-slots', { params: { slug }, query: { span }, signal }),
    placeholderData: keepPreviousData,
  })
