import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlertChannelView, AlertTestView } from '../../../../src/shared/contract/operator.ts'
import { call } from '../../api/client.ts'
import { alertChannelsQuery } from '../../api/operator-queries.ts'
import { useDocsUrl } from '../../api/session.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { IconSend } from '../../components/icons.tsx'
import { notifyError } from '../../components/notify.ts'
import { ErrorState, LoadingBlock } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { IfOperator } from './IfOperator.tsx'
import classes from './operator.module.css'

const REFRESH_MS = 15_000

/** The alert channels, their delivery status, and a button to send a test. */
export function AlertChannelsSection() {
  const channels = useQuery({ ...alertChannelsQuery, refetchInterval: REFRESH_MS })
  return (
    <Card component="section" aria-labelledby="alerts">
      <Title order={2} id="alerts" mb={4}>
        Alerts
      </Title>
      {channels.isPending && <LoadingBlock height={60} />}
      {channels.isError && <ErrorState error={channels.error} onRetry={() => channels.refetch()} />}
      {channels.data && (channels.data.length === 0 ? <NoChannels /> : <Channels channels={channels.data} />)}
    </Card>
  )
}

function NoChannels() {
  const alertsPage = useDocsUrl('alerts#alerts')
  return (
    <Text size="sm">
      Alerts are off. Set <code>ALERT_EMAILS</code> or <code>ALERT_WEBHOOK_URL</code> to turn them on:{' '}
      <Anchor href={alertsPage} underline="always" inherit>
        alerts
      </Anchor>
      .
    </Text>
  )
}

function Channels({ channels }: { channels: readonly AlertChannelView[] }) {
  const [tried, setTried] = useState<readonly AlertTestView[]>()
  const [trying, setTrying] = useState(false)
  const test = async () => {
    setTrying(true)
    setTried(undefined)
    try {
      setTried((await call('POST /api/operator/alerts/test', {})).channels)
    } catch (error) {
      notifyError(error)
    } finally {
      setTrying(false)
    }
  }
  return (
    <>
      <Group justify="space-between" align="flex-start" mb="md">
        <Text size="sm" c="dimmed" maw={560}>
          Sent when a source needs attention and when it recovers. Failed deliveries are retried for a day.
        </Text>
        <IfOperator>
          <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} loading={trying} onClick={test}>
            Send test
          </Button>
        </IfOperator>
      </Group>
      <DataTable
        caption="Alert channels"
        columns={COLUMNS}
        rows={channels}
        rowKey={({ kind, to }) => `${kind} ${to}`}
      />
      <div role="status">{tried && <Outcome tried={tried} />}</div>
    </>
  )
}

function Outcome({ tried }: { tried: readonly AlertTestView[] }) {
  return (
    <Stack gap={4} mt="md" style={{ overflowWrap: 'anywhere' }}>
      {tried.map(({ kind, to, delivered, why }) => (
        <Text key={`${kind} ${to}`} size="sm">
          {delivered ? `Test alert delivered to ${to}.` : `Test alert to ${to} failed. ${why ?? ''}`}
        </Text>
      ))}
    </Stack>
  )
}

const KINDS = { webhook: 'Webhook', email: 'Email' } as const

const COLUMNS: readonly TableColumn<AlertChannelView>[] = [
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
  { key: 'delivered', header: 'Last delivered', render: ({ deliveredAtMs }) => <Ago at={deliveredAtMs} /> },
  { key: 'given-up', header: 'Last abandoned', render: ({ givenUpAtMs }) => <Ago at={givenUpAtMs} /> },
  { key: 'waiting', header: 'Pending', render: (channel) => <Pending channel={channel} /> },
  {
    key: 'error',
    header: 'Last error',
    render: ({ error }) =>
      error === undefined ? (
        '–'
      ) : (
        <div className={classes.reason}>
          {error.why}
          <Text size="xs" c="dimmed">
            <Timestamp at={error.atMs} as="ago" />
          </Text>
        </div>
      ),
  },
]

function Ago({ at }: { at: number | undefined }) {
  return at === undefined ? '–' : <Timestamp at={at} as="ago" />
}

function Pending({ channel: { waiting, next } }: { channel: AlertChannelView }) {
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
