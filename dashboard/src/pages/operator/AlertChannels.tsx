import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertTestView, AlertWayView } from '../../../../src/shared/alert-shapes.ts'
import { api } from '../../api/client.ts'
import { alertWaysQuery } from '../../api/queries.ts'
import { useOptions } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconSend } from '../../components/icons.tsx'
import { notifyError } from '../../components/notify.ts'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'

const EVERY_MS = 15_000

/** Who is told of sources in trouble, whether it arrives, and a button to try it. */
export function AlertChannels() {
  const ways = useQuery({ ...alertWaysQuery, refetchInterval: EVERY_MS })
  return (
    <Card component="section" aria-labelledby="alerts">
      <Title order={2} id="alerts" mb={4}>
        Alerts
      </Title>
      {ways.isPending && <LoadingBlock height={60} />}
      {ways.isError && <ErrorState error={ways.error} onRetry={() => ways.refetch()} />}
      {ways.data && (ways.data.length === 0 ? <Nobody /> : <Ways ways={ways.data} />)}
    </Card>
  )
}

function Nobody() {
  const { docsUrl } = useOptions()
  return (
    <Text size="sm">
      Nobody is told when a source is in trouble. Set <code>ALERT_EMAILS</code> or{' '}
      <code>ALERT_WEBHOOK_URL</code> to change that:{' '}
      <Anchor href={`${docsUrl.replace(/\/$/, '')}/operations#alerts`} underline="always" inherit>
        alerts
      </Anchor>
      .
    </Text>
  )
}

function Ways({ ways }: { ways: readonly AlertWayView[] }) {
  const [tried, setTried] = useState<readonly AlertTestView[]>()
  const [trying, setTrying] = useState(false)
  const test = async () => {
    setTrying(true)
    setTried(undefined)
    try {
      setTried((await api.post<{ ways: AlertTestView[] }>('/operator/alerts/test')).ways)
    } catch (fault) {
      notifyError(fault)
    } finally {
      setTrying(false)
    }
  }
  return (
    <>
      <Group justify="space-between" align="flex-start" mb="md">
        <Text size="sm" c="dimmed" maw={560}>
          Who is told when a source is in trouble, and when that is over. What does not arrive is sent again
          for a day.
        </Text>
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={trying}
          onClick={test}
        >
          Send a test
        </Button>
      </Group>
      <DataTable
        caption="Who is told"
        columns={COLUMNS}
        rows={ways}
        rowKey={({ kind, to }) => `${kind} ${to}`}
      />
      <div role="status">{tried && <Outcome tried={tried} />}</div>
    </>
  )
}

function Outcome({ tried }: { tried: readonly AlertTestView[] }) {
  return (
    <Stack gap={4} mt="md" style={{ overflowWrap: 'anywhere' }}>
      {tried.map(({ kind, to, arrived, why }) => (
        <Text key={`${kind} ${to}`} size="sm">
          {arrived ? `The test to ${to} arrived.` : `The test to ${to} did not arrive. ${why ?? ''}`}
        </Text>
      ))}
    </Stack>
  )
}

const KINDS = { webhook: 'Webhook', email: 'E-mail' } as const

const COLUMNS: readonly TableColumn<AlertWayView>[] = [
  {
    key: 'to',
    header: 'To',
    isRowHeader: true,
    render: ({ kind, to }) => (
      <div className={classes.reason}>
        {to}
        <Text size="xs" c="dimmed">
          {KINDS[kind]}
        </Text>
      </div>
    ),
  },
  {
    key: 'arrived',
    header: 'Last arrived',
    render: ({ deliveredAtMs: arrivedAtMs }) => <Ago at={arrivedAtMs} />,
  },
  { key: 'given-up', header: 'Last given up', render: ({ givenUpAtMs }) => <Ago at={givenUpAtMs} /> },
  { key: 'waiting', header: 'Waiting', render: (way) => <Waiting way={way} /> },
  {
    key: 'fault',
    header: 'What went wrong last',
    render: ({ fault }) =>
      fault === undefined ? (
        '–'
      ) : (
        <div className={classes.reason}>
          {fault.why}
          <Text size="xs" c="dimmed">
            <Timestamp at={fault.atMs} as="ago" />
          </Text>
        </div>
      ),
  },
]

function Ago({ at }: { at: number | undefined }) {
  return at === undefined ? '–' : <Timestamp at={at} as="ago" />
}

function Waiting({ way: { waiting, next } }: { way: AlertWayView }) {
  if (next === undefined) return '–'
  return (
    <>
      {formatCount(waiting)}
      <Text size="xs" c="dimmed">
        since <Timestamp at={next.createdAtMs} as="time" />, tried{' '}
        {next.attempts === 1 ? 'once' : `${next.attempts} times`}, again{' '}
        <Timestamp at={next.nextAttemptAtMs} as="time" />
      </Text>
    </>
  )
}
