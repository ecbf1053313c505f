import { Alert, Anchor, Box, Card, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HealthView } from '../../../../src/shared/contract/operator.ts'
import type { SourcesSummary } from '../../../../src/shared/contract/source-lists.ts'
import { healthQuery } from '../../api/operator-queries.ts'
import { useDocsUrl } from '../../api/session.ts'
import { sourceSummaryQuery } from '../../api/source-queries.ts'
import { Legend, type LegendEntry, LineSample } from '../../components/chart/Legend.tsx'
import { formatBytes, formatCount, formatLatency, formatNumberOf, formatSpan } from '../../components/format.ts'
import { IconAlertTriangle, IconMailOff } from '../../components/icons.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { AlertChannelsSection } from './AlertChannelsSection.tsx'
import { HealthChart } from './HealthChart.tsx'
import { HealthParts, ServiceBadge } from './HealthParts.tsx'
import { OpenFeedSection } from './OpenFeedSection.tsx'
import classes from './operator.module.css'

const REFRESH_MS = 5_000
const SOURCES_REFRESH_MS = 20_000
const CHART_HEIGHT = 200

/** The health of the service, refreshed every five seconds. */
export function HealthPage() {
  const [refreshing, setRefreshing] = useState(true)
  const health = useQuery({ ...healthQuery, refetchInterval: refreshing && REFRESH_MS, staleTime: 0 })
  const sources = useQuery({ ...sourceSummaryQuery, refetchInterval: refreshing && SOURCES_REFRESH_MS })
  return (
    <>
      <PageHeader
        title="Health"
        beside={health.data && sources.data && <ServiceBadge health={health.data} sources={sources.data} />}
        actions={
          <Switch
            label="Refresh every 5 s"
            checked={refreshing}
            onChange={(event) => setRefreshing(event.currentTarget.checked)}
          />
        }
      >
        {health.data ? (
          <>
            As of <Timestamp at={health.dataUpdatedAt} as="time" />.
          </>
        ) : (
          'The status of the service.'
        )}
      </PageHeader>
      {(health.isPending || sources.isPending) && !health.isError && !sources.isError && <Loading />}
      {health.isError && <ErrorState error={health.error} onRetry={() => health.refetch()} />}
      {!health.isError && sources.isError && <ErrorState error={sources.error} onRetry={() => sources.refetch()} />}
      {health.data && sources.data && (
        <Detail health={health.data} sources={sources.data} atMs={health.dataUpdatedAt} />
      )}
    </>
  )
}

function Detail({ health, sources, atMs }: { health: HealthView; sources: SourcesSummary; atMs: number }) {
  const { past, ...now } = health.eventLoop
  // The last minute is the newest of the past ones.
  const samples = past.length > 0 ? past : [{ atMs, ...now }]
  return (
    <Stack gap="lg">
      <HealthParts health={health} sources={sources} />
      <Warnings health={health} />
      <Statistics items={serviceStatistics(health, atMs)} />
      <Statistics items={processStatistics(health)} />
      <AlertChannelsSection />
      <OpenFeedSection />
      <Card component="section" aria-labelledby="waits" className={classes.palette}>
        <Title order={2} id="waits" mb={4}>
          Event-loop delay
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          Of the thread that answers requests, a minute each for the last hour. Delays here affect every request.
        </Text>
        <Box mb="sm">
          <Legend entries={LEGEND} />
        </Box>
        <HealthChart samples={samples} height={CHART_HEIGHT} />
      </Card>
    </Stack>
  )
}

const LEGEND: readonly LegendEntry[] = [
  { mark: <LineSample color="var(--mark-removed)" dashes="5 3" />, label: '99th percentile (p99)' },
  { mark: <LineSample color="var(--mark-slots)" />, label: 'Median (p50)' },
]

function Warnings({ health }: { health: HealthView }) {
  const configurationPage = useDocsUrl('configuration')
  return (
    <>
      {!health.ready && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="Not ready yet">
          Slots are still being loaded into memory. Until then, requests return 503.
        </Alert>
      )}
      {health.memory.missingSlots > 0 && <MemoryFull health={health} />}
      {!health.store.ok && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="The database is unavailable">
          Requests are still answered from memory, but nothing is synced or saved. Check the database, its disk and the
          service's log.
        </Alert>
      )}
      {!health.mail && (
        <Alert color="gray" variant="light" icon={<IconMailOff aria-hidden />} title="Email is off">
          Email addresses can't be verified, and people who forget their password need a link from{' '}
          <PageLink to="/app/operator/accounts" underline="always" c="inherit">
            Accounts
          </PageLink>
          . Set <code>SMTP_URL</code> to turn it on:{' '}
          <Anchor href={configurationPage} underline="always" c="inherit" inherit>
            configuration
          </Anchor>
          .
        </Alert>
      )}
    </>
  )
}

function MemoryFull({ health: { slots, memory } }: { health: HealthView }) {
  const sourcesPage = useDocsUrl('operating-sources')
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Memory is full">
      {formatNumberOf(memory.missingSlots, 'slot')} left out, {formatCount(slots)} served. Lists and counts of this node
      are incomplete. Find the source that grew in{' '}
      <PageLink to="/app/operator/sources" underline="always" c="inherit">
        Sources
      </PageLink>{' '}
      and limit or remove it, or give the node more memory and restart it:{' '}
      <Anchor href={`${sourcesPage}#full-memory`} underline="always" c="inherit" inherit>
        full memory
      </Anchor>
      .
    </Alert>
  )
}

function serviceStatistics(health: HealthView, atMs: number) {
  const { store } = health
  return [
    { name: 'Slots in memory', value: formatCount(health.slots), note: 'all statuses' },
    { name: 'Active keys', value: formatCount(health.keys), note: 'all organizations' },
    {
      name: 'Database',
      value: store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      note: [store.ok ? 'available' : 'unavailable', store.bytes !== undefined && formatBytes(store.bytes)]
        .filter(Boolean)
        .join(', '),
    },
    {
      name: 'Uptime',
      value: formatSpan(atMs - health.startedAtMs),
      note: <Timestamp at={health.startedAtMs} />,
    },
    { name: 'Version', value: health.version, note: `on Node ${health.nodeVersion.replace(/^v/, '')}` },
  ]
}

function processStatistics({ memory, eventLoop }: HealthView) {
  return [
    {
      name: 'Memory (RSS)',
      value: formatBytes(memory.rssBytes),
      note: `whole process, of ${formatBytes(memory.maxBytes)}`,
    },
    { name: 'JavaScript heap', value: formatBytes(memory.heapBytes), note: 'main thread' },
    { name: 'External memory', value: formatBytes(memory.externalBytes), note: 'mostly slots' },
    { name: 'Event-loop delay, p50', value: formatLatency(eventLoop.p50Ms), note: 'median' },
    { name: 'Event-loop delay, p99', value: formatLatency(eventLoop.p99Ms), note: '99th percentile' },
  ]
}

function Loading() {
  return (
    <Stack gap="lg">
      <LoadingBlock height={96} />
      <LoadingBlock height={96} />
      <LoadingBlock height={320} />
    </Stack>
  )
}
