import { Alert, Anchor, Badge, Box, Card, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { HealthView } from '../../../../src/shared/shapes.ts'
import { healthQuery } from '../../api/queries.ts'
import { useOptions } from '../../api/session.ts'
import { formatBytes, formatCount, formatLatency, formatSpan } from '../../components/format.ts'
import { IconAlertTriangle, IconCheck, IconMailOff } from '../../components/icons.tsx'
import { Legend, type LegendEntry, LineSample } from '../../components/Legend.tsx'
import { PageLink } from '../../components/links.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Statistics } from '../../components/Statistics.tsx'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { AlertChannels } from './AlertChannels.tsx'
import classes from './operator.module.css'

const EVERY_MS = 5_000
const CHART_HEIGHT = 200

const HealthChart = lazy(async () => ({ default: (await import('./HealthChart.tsx')).HealthChart }))

/** How the service itself does, anew every five seconds. */
export function HealthPage() {
  const [refreshing, setRefreshing] = useState(true)
  const health = useQuery({ ...healthQuery, refetchInterval: refreshing && EVERY_MS, staleTime: 0 })
  return (
    <>
      <PageHeader
        title="Health"
        beside={health.data && <Ready ready={health.data.ready && health.data.store.ok} />}
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
          'How the service itself does.'
        )}
      </PageHeader>
      {health.isPending && <Holding />}
      {health.isError && <ErrorState error={health.error} onRetry={() => health.refetch()} />}
      {health.data && <Detail health={health.data} atMs={health.dataUpdatedAt} />}
    </>
  )
}

function Detail({ health, atMs }: { health: HealthView; atMs: number }) {
  const samples = useSamples(health, atMs)
  return (
    <Stack gap="lg">
      <Warnings health={health} />
      <Statistics items={serviceFigures(health, atMs)} />
      <Statistics items={processFigures(health)} />
      <AlertChannels />
      <Card component="section" aria-labelledby="waits" className={classes.palette}>
        <Title order={2} id="waits" mb={4}>
          How long events wait
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          In the thread that answers requests, over the minute before each look, since this page was opened.
          What waits there, every caller waits for.
        </Text>
        <Box mb="sm">
          <Legend entries={MARKS} />
        </Box>
        <Suspense fallback={<LoadingBlock height={CHART_HEIGHT} />}>
          <HealthChart samples={samples} height={CHART_HEIGHT} />
        </Suspense>
      </Card>
    </Stack>
  )
}

const MARKS: readonly LegendEntry[] = [
  { mark: <LineSample color="var(--mark-removed)" dashes="5 3" />, label: 'Worst of 100 (p99)' },
  { mark: <LineSample color="var(--mark-slots)" />, label: 'Median (p50)' },
]

function Ready({ ready }: { ready: boolean }) {
  const Icon = ready ? IconCheck : IconAlertTriangle
  return (
    <Badge
      variant="light"
      color={ready ? 'teal' : 'red'}
      tt="none"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {ready ? 'All well' : 'Needs a look'}
    </Badge>
  )
}

function Warnings({ health }: { health: HealthView }) {
  const { docsUrl } = useOptions()
  return (
    <>
      {!health.ready && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title="Not ready yet">
          The slots are still being loaded into memory. Until then, callers are asked to come back later.
        </Alert>
      )}
      {!health.store.ok && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="The store does not answer">
          Callers are still answered from memory, but nothing new is read or saved. Look at the database, its
          disk and the service's log.
        </Alert>
      )}
      {!health.mail && (
        <Alert color="gray" variant="light" icon={<IconMailOff aria-hidden />} title="No mail is sent">
          Addresses cannot be confirmed, and who forgets a password needs a link from{' '}
          <PageLink to="/app/operator/accounts" underline="always" c="inherit">
            Accounts
          </PageLink>
          . Set <code>SMTP_URL</code> to change that:{' '}
          <Anchor href={`${docsUrl.replace(/\/$/, '')}/configuration`} underline="always" c="inherit" inherit>
            configuration
          </Anchor>
          .
        </Alert>
      )}
    </>
  )
}

function serviceFigures(health: HealthView, atMs: number) {
  const { store } = health
  return [
    { name: 'Slots in memory', value: formatCount(health.slots), note: 'of any status' },
    { name: 'Live keys', value: formatCount(health.keys), note: 'of all organizations' },
    {
      name: 'Store',
      value: store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      note: [store.ok ? 'answers' : 'does not answer', store.bytes !== undefined && formatBytes(store.bytes)]
        .filter(Boolean)
        .join(', '),
    },
    {
      name: 'Up for',
      value: formatSpan(atMs - health.startedAtMs),
      note: <Timestamp at={health.startedAtMs} />,
    },
    { name: 'Version', value: health.version, note: `on Node ${health.nodeVersion.replace(/^v/, '')}` },
  ]
}

function processFigures({ memory, eventLoop }: HealthView) {
  return [
    { name: 'Memory in all', value: formatBytes(memory.rssBytes), note: 'resident' },
    { name: 'JavaScript heap', value: formatBytes(memory.heapBytes), note: 'of the thread that answers' },
    { name: 'Outside the heap', value: formatBytes(memory.externalBytes), note: 'the slots, mostly' },
    { name: 'Wait, median', value: formatLatency(eventLoop.p50Ms), note: 'of an event, p50' },
    { name: 'Wait, worst of 100', value: formatLatency(eventLoop.p99Ms), note: 'of an event, p99' },
  ]
}

function Holding() {
  return (
    <Stack gap="lg">
      <LoadingBlock height={96} />
      <LoadingBlock height={96} />
      <LoadingBlock height={320} />
    </Stack>
  )
}

/** What one look at the service's health found. */
export interface HealthSample {
  readonly atMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Ten minutes of looks every five seconds. */
const SAMPLES_MAX = 120

/** The looks since the page was opened, oldest first. */
function useSamples({ eventLoop }: HealthView, atMs: number): readonly HealthSample[] {
  const [samples, setSamples] = useState<readonly HealthSample[]>([])
  const { p50Ms, p99Ms } = eventLoop
  useEffect(() => {
    setSamples((before) => {
      if (before[before.length - 1]?.atMs === atMs) return before
      return [...before, { atMs, p50Ms, p99Ms }].slice(-SAMPLES_MAX)
    })
  }, [atMs, p50Ms, p99Ms])
  return samples
}
