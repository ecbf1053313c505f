import { Button, Card, Group, SegmentedControl, Select, Stack, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MINUTE_MS } from '../../../../src/lib/time.ts'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { keyPages, usageCsvUrl, usageQuery } from '../../api/queries.ts'
import { useOrganization } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { formatCount, formatShare } from '../../components/format.ts'
import { ButtonLink, PageLink } from '../../components/links.tsx'
import { isolated } from '../../components/names.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { oneOfOrFirst, useSearchParams } from '../../components/use-search-params.ts'
import { RangePicker } from './RangePicker.tsx'
import { KEY_SERIES_MAX, styleByKey, styleByStatus } from './series-style.ts'
import { UsageOverTime } from './UsageOverTime.tsx'
import { UsageOrEmpty, UsageStatistics } from './UsageStatistics.tsx'
import { RANGE_LABELS, RANGES, type Range, stepsOf, usagePeriod } from './usage-range.ts'
import { type RequestTotals, requestTotals, seriesByKey, seriesByStatus } from './usage-series.ts'

const GROUPS = ['status', 'key'] as const
const DEFAULT_RANGE: Range = '7d'

/** The organization's requests by status or key, with latencies. State is in the URL. */
export function UsagePage() {
  const org = useOrganization().id
  const view = useUsageView(org)
  const keys = useInfiniteQuery(keyPages(org))
  const usage = useQuery({ ...usageQuery(org, view.filter), refetchInterval: MINUTE_MS })
  const names = useMemo(() => keyNames(usage.data?.keys ?? []), [usage.data])
  return (
    <>
      <PageHeader title="Usage" actions={<DownloadLink href={usageCsvUrl(org, view.filter)}>Export CSV</DownloadLink>}>
        All requests with your API keys, updated within a second. Requests are free and not rate limited today: see{' '}
        <PageLink to="/app/o/$org/limits" params={{ org }} inherit underline="always">
          Limits
        </PageLink>
        .
      </PageHeader>
      <Stack gap="lg">
        <Controls view={view} keys={keys.data?.keys ?? []} />
        <UsageOrEmpty
          query={usage}
          emptyTitle={`No requests in the last ${RANGE_LABELS[view.range]}`}
          action={<EmptyAction org={org} hasKeyFilter={view.filter.key !== undefined} onAllKeys={view.showAllKeys} />}
        >
          {(shown) => <UsageDetails org={org} view={view} usage={shown} names={names} />}
        </UsageOrEmpty>
      </Stack>
    </>
  )
}

function UsageDetails(props: { org: string; view: View; usage: UsageView; names: ReadonlyMap<string, string> }) {
  const { org, view, usage, names } = props
  const nameOf = (id: string) => names.get(id) ?? id
  const series =
    view.group === 'status'
      ? styleByStatus(seriesByStatus(usage.hours, view.span))
      : styleByKey(seriesByKey(usage.hours, view.span, KEY_SERIES_MAX), nameOf)
  return (
    <Stack gap="lg">
      <UsageStatistics usage={usage} />
      <Card padding="lg">
        <UsageOverTime
          span={view.span}
          series={series}
          label={`Requests by ${view.group} in the last ${RANGE_LABELS[view.range]}`}
        />
      </Card>
      <section aria-labelledby="by-key">
        <Title order={2} id="by-key" mb="sm">
          By key
        </Title>
        <UsageByKey org={org} usage={usage} names={names} />
      </section>
    </Stack>
  )
}

type View = ReturnType<typeof useUsageView>

/** The view from the URL. The period is computed once per range, so that refetches use the same query key. */
function useUsageView(org: string) {
  const [search, change] = useSearchParams()
  const range = search.range ? oneOfOrFirst(RANGES, search.range) : DEFAULT_RANGE
  const step = oneOfOrFirst(stepsOf(range), search.step)
  const key = search.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: the period restarts for another organization
  const span = useMemo(() => usagePeriod(range, step, Date.now()), [range, step, org])
  return {
    range,
    step,
    group: oneOfOrFirst(GROUPS, search.by),
    span,
    filter: { fromMs: span.fromMs, toMs: span.toMs, key },
    change,
    showAllKeys: () => change({ key: undefined }),
  }
}

function Controls({ view, keys }: { view: View; keys: readonly KeyView[] }) {
  const steps = stepsOf(view.range)
  return (
    <Group gap="sm">
      <RangePicker ranges={RANGES} value={view.range} onChange={(range) => view.change({ range, step: undefined })} />
      {steps.length > 1 && (
        <SegmentedControl
          size="sm"
          aria-label="Bar size"
          data={steps.map((value) => ({ value, label: value === 'day' ? 'By day' : 'By hour' }))}
          value={view.step}
          onChange={(step) => view.change({ step })}
        />
      )}
      <SegmentedControl
        size="sm"
        aria-label="Group by"
        data={[
          { value: 'status', label: 'By status' },
          { value: 'key', label: 'By key' },
        ]}
        value={view.group}
        onChange={(by) => view.change({ by })}
      />
      <Select
        size="sm"
        w={240}
        aria-label="Key"
        placeholder="All keys"
        data={keys.map((key) => ({ value: key.id, label: `${isolated(key.name)} (…${key.lastFour})` }))}
        value={view.filter.key ?? null}
        onChange={(key) => view.change({ key: key ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Show all keys' }}
        searchable
        nothingFoundMessage="No matching key"
      />
    </Group>
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

interface Row extends RequestTotals {
  readonly keyId: string
  readonly name: string
  /** Share of the requests of all keys. */
  readonly share: string
}

/** Requests by key, the busiest first. `names` are the keys' names by id. */
function UsageByKey(props: { org: string; usage: UsageView; names: ReadonlyMap<string, string> }) {
  return (
    <DataTable
      caption="Requests by key"
      columns={columnsOf(props.org)}
      rows={rowsOf(props.usage, props.names)}
      rowKey={(row) => row.keyId}
      dense
    />
  )
}

function columnsOf(org: string): TableColumn<Row>[] {
  return [
    {
      key: 'key',
      header: 'Key',
      isRowHeader: true,
      render: (row) => (
        <PageLink to="/app/o/$org/keys/$key" params={{ org, key: row.keyId }} size="sm">
          <bdi>{row.name}</bdi>
        </PageLink>
      ),
    },
    { key: 'requests', header: 'Requests', align: 'end', render: (row) => formatCount(row.requests) },
    { key: 'share', header: 'Share', align: 'end', render: (row) => row.share },
    { key: 'errors', header: 'Errors', align: 'end', render: (row) => formatShare(row.errors, row.requests) },
  ]
}

function rowsOf(usage: UsageView, names: ReadonlyMap<string, string>): Row[] {
  const all = requestTotals(usage.hours).requests
  return [...Map.groupBy(usage.hours, (hour) => hour.keyId)]
    .map(([keyId, hours]) => {
      const totals = requestTotals(hours)
      const share = formatShare(totals.requests, all)
      return { keyId, name: names.get(keyId) ?? keyId, share, ...totals }
    })
    .sort((a, b) => b.requests - a.requests)
}
