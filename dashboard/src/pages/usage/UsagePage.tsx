import { Button, Card, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { usageCsvUrl, usageQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { isolated } from '../../components/names.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { LatencyOverTime } from './LatencyOverTime.tsx'
import { KEY_SERIES_MAX, styleByKey, styleByStatus } from './series-style.ts'
import { TopQueries } from './TopQueries.tsx'
import { UsageByKey } from './UsageByKey.tsx'
import { UsageControls } from './UsageControls.tsx'
import { UsageOverTime } from './UsageOverTime.tsx'
import { UsageOrEmpty, UsageStatistics } from './UsageStatistics.tsx'
import { previousPeriod, type UsagePeriod } from './usage-range.ts'
import { requestsPerBar, seriesByKey, seriesByStatus } from './usage-series.ts'
import { type UsagePageState, useUsageView } from './usage-view.ts'
import { useKept } from './use-kept.ts'

/** The organization's requests by status or key, with latencies. State is in the URL. */
export function UsagePage() {
  const org = useOrganization().id
  const view = useUsageView()
  const { span, key } = view
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          span && (
            <DownloadLink href={usageCsvUrl(org, { fromMs: span.fromMs, toMs: span.toMs, key })}>
              Export CSV
            </DownloadLink>
          )
        }
      >
        All requests with your API keys, updated within a second. Requests are free: see{' '}
        <PageLink to="/app/o/$org/limits" params={{ org }} inherit underline="always">
          Limits
        </PageLink>
        .
      </PageHeader>
      <Stack gap="lg">
        <UsageControls org={org} view={view} />
        {span && <UsageOfPeriod org={org} view={view} span={span} />}
      </Stack>
    </>
  )
}

interface OfPeriod {
  readonly org: string
  readonly view: UsagePageState
  readonly span: UsagePeriod
}

function UsageOfPeriod({ org, view, span }: OfPeriod) {
  const { key } = view
  const usage = useQuery({
    ...usageQuery(org, { fromMs: span.fromMs, toMs: span.toMs, key }),
    refetchInterval: MINUTE_MS,
  })
  const earlier = useMemo(() => previousPeriod(span), [span])
  const previous = useQuery({
    ...usageQuery(org, { fromMs: earlier.fromMs, toMs: earlier.toMs, key }),
    enabled: view.isCompared,
  })
  const isOutdated = usage.isPlaceholderData || (view.isCompared && previous.isPlaceholderData)
  const before = view.isCompared ? previous.data : undefined
  const drawn = useKept(
    useMemo(
      () => ({
        span,
        label: view.label,
        usage: usage.data,
        ...(before && { previous: { span: earlier, usage: before } }),
      }),
      [span, view.label, usage.data, earlier, before],
    ),
    isOutdated,
  )
  return (
    <UsageOrEmpty
      query={{ ...usage, data: drawn.usage }}
      isOutdated={isOutdated}
      emptyTitle={`No requests ${drawn.label}`}
      action={
        <EmptyAction org={org} hasKeyFilter={key !== undefined} onAllKeys={() => view.change({ key: undefined })} />
      }
    >
      {(shown) => (
        <UsageDetails
          {...{ ...drawn, org, view, usage: shown }}
          notice={view.isCompared && previous.isError && 'The previous period could not be loaded.'}
        />
      )}
    </UsageOrEmpty>
  )
}

interface Details extends OfPeriod {
  /** Of the period of the data, which is the previous choice while the new data loads. */
  readonly label: string
  readonly usage: UsageView
  readonly previous?: { readonly span: UsagePeriod; readonly usage: UsageView }
  readonly notice: string | false
}

function UsageDetails({ org, view, span, label, usage, previous, notice }: Details) {
  const names = useMemo(() => keyNames(usage.keys), [usage])
  const nameOf = (id: string) => names.get(id) ?? id
  const series =
    view.group === 'status'
      ? styleByStatus(seriesByStatus(usage.hours, span))
      : styleByKey(seriesByKey(usage.hours, span, KEY_SERIES_MAX), nameOf)
  return (
    <Stack gap="lg">
      <UsageStatistics usage={usage} previous={previous?.usage} />
      {notice && <Text size="sm">{notice}</Text>}
      <Card padding="lg">
        <UsageOverTime
          span={span}
          series={series}
          {...(previous && { previous: requestsPerBar(previous.usage.hours, previous.span) })}
          label={`Requests by ${view.group} ${label}`}
        />
      </Card>
      <TitledSection title="Latency">
        <Card padding="lg">
          <LatencyOverTime span={span} latencies={usage.latencies} label={`Latency ${label}`} />
        </Card>
      </TitledSection>
      <TitledSection title="By key">
        <UsageByKey org={org} usage={usage} nameOf={nameOf} />
      </TitledSection>
      <TopQueries org={org} range={{ fromMs: span.fromMs, toMs: span.toMs, key: view.key }} />
    </Stack>
  )
}

function EmptyAction(props: { org: string; hasKeyFilter: boolean; onAllKeys: () => void }) {
  if (props.hasKeyFilter) return <Button onClick={props.onAllKeys}>Show all keys</Button>
  return (
    <ButtonLink to="/app/o/$org/keys" params={{ org: props.org }}>
      Go to your keys
    </ButtonLink>
  )
}

/** `name (…9Qx2)`, because names are not unique. */
function keyNames(keys: UsageView['keys']): ReadonlyMap<string, string> {
  return new Map(keys.map((key) => [key.id, `${isolated(key.name)} (…${key.lastFour})`]))
}
