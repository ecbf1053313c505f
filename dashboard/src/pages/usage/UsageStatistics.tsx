import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { formatCount, formatLatency, formatNumberOf, formatShare } from '../../components/format.ts'
import { IconChartBar } from '../../components/icons.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { EmptyState, ErrorState, LoadingBlock, Refreshing } from '../../components/states.tsx'
import { percentilesOf } from './latency-series.ts'
import { requestTotals } from './usage-series.ts'

/**
 * Requests, errors and latencies of a period; skeletons while `usage` is undefined. With `previous`, the usage of the period before, the
 * notes compare.
 */
export function UsageStatistics({
  usage,
  previous,
}: {
  usage: UsageView | undefined
  previous?: UsageView | undefined
}) {
  const totals = requestTotals(usage?.hours ?? [])
  const before = previous && requestTotals(previous.hours)
  const latency = percentilesOf(usage?.latencies ?? [])
  const latencyBefore = previous && percentilesOf(previous.latencies)
  const ofLatency = (ms: number | undefined) => (ms === undefined ? '–' : formatLatency(ms))
  const inPrevious = (text: string) => `${text} in the previous period`
  return (
    <Statistics
      items={[
        {
          name: 'Requests',
          value: usage && formatCount(totals.requests),
          note: before ? changeNote(totals.requests, before.requests) : 'all statuses',
        },
        {
          name: 'Errors',
          value: usage && formatShare(totals.errors, totals.requests),
          note: before ? inPrevious(formatShare(before.errors, before.requests)) : errorNote(totals),
        },
        {
          name: 'Median latency (p50)',
          value: usage && ofLatency(latency?.p50Ms),
          note: previous ? inPrevious(ofLatency(latencyBefore?.p50Ms)) : 'inside the service',
        },
        {
          name: '95th percentile (p95)',
          value: usage && ofLatency(latency?.p95Ms),
          note: previous ? inPrevious(ofLatency(latencyBefore?.p95Ms)) : '95% of requests were faster',
        },
      ]}
    />
  )
}

/** "+12% from 11,020 in the previous period". */
function changeNote(now: number, before: number): string {
  const change = before === 0 ? '' : `${now < before ? '−' : '+'}${formatShare(Math.abs(now - before), before)} from `
  return `${change}${formatCount(before)} in the previous period`
}

function errorNote({ errors, failures }: ReturnType<typeof requestTotals>): string {
  if (errors === 0) return 'no client (4xx) or server (5xx) errors'
  const clientErrors = errors - failures
  return [
    clientErrors > 0 && `${formatNumberOf(clientErrors, 'client error')} (4xx)`,
    failures > 0 && `${formatNumberOf(failures, 'server error')} (5xx)`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The usage, dimmed while it is outdated, or its loading, error or empty state. `action` is the button of the empty state. */
export function UsageOrEmpty(props: {
  query: Pick<UseQueryResult<UsageView>, 'data' | 'error' | 'isPending' | 'refetch'>
  isOutdated?: boolean
  emptyTitle: string
  /** The recommended action. */
  emptyText?: string
  action?: ReactNode
  children: (usage: UsageView) => ReactNode
}) {
  const { data, error, isPending, refetch } = props.query
  if (isPending) {
    return (
      <Stack gap="lg">
        <UsageStatistics usage={undefined} />
        <LoadingBlock height={374} />
      </Stack>
    )
  }
  if (!data) return <ErrorState error={error} onRetry={refetch} title="Usage could not be loaded" />
  return (
    <Refreshing isOutdated={props.isOutdated ?? false}>
      {data.hours.length > 0 ? (
        props.children(data)
      ) : (
        <EmptyState icon={<IconChartBar aria-hidden />} title={props.emptyTitle} action={props.action}>
          {props.emptyText ??
            'Requests appear here about a second after they are answered. Send one with your key, or choose a longer time range.'}
        </EmptyState>
      )}
    </Refreshing>
  )
}
