import { Alert, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryDetail } from '../../../../src/shared/contract/subscriptions.ts'
import { useMay } from '../../api/session.ts'
import { deliveryQuery, useSubscriptionMutations } from '../../api/subscription-queries.ts'
import { CodeBlock } from '../../components/CodeTabs.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { formatCount, formatLatency } from '../../components/format.ts'
import { IconAlertTriangle, IconRefresh } from '../../components/icons.tsx'
import { notifySuccess } from '../../components/notify.ts'
import { ErrorState, FormError, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { DeliveryBadge, ReceiverStatus } from './DeliveriesTable.tsx'
import { eventLabel } from './subscription-labels.ts'

interface DrawerProps {
  readonly org: string
  readonly subscription: string
  /** Undefined: closed. */
  readonly delivery: string | undefined
  readonly onClose: () => void
}

/** The request and the response of a delivery, and a button that sends it again. */
export function DeliveryDrawer(props: DrawerProps) {
  const { org, subscription, delivery = '', onClose } = props
  const opened = props.delivery !== undefined
  const found = useQuery({
    ...deliveryQuery(org, subscription, delivery),
    enabled: opened,
    refetchInterval: 5_000,
    retry: false,
  })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size="lg"
      attributes={{ header: { role: 'none' } }}
      title={<Text fw={600}>Delivery</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {found.data && <Details {...props} detail={found.data} />}
      {found.isLoading && <LoadingRows rows={6} />}
      {found.isError && !found.data && (
        <ErrorState error={found.error} onRetry={found.refetch} title="The delivery could not be loaded" />
      )}
    </Drawer>
  )
}

function Details({ detail, ...props }: DrawerProps & { detail: DeliveryDetail }) {
  const { status, type, error, request, responseBody } = detail
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Title order={2}>{eventLabel(type)}</Title>
        <DeliveryBadge status={status} />
      </Group>
      {error !== undefined && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} style={{ overflowWrap: 'anywhere' }}>
          {error}
        </Alert>
      )}
      <Retry {...props} detail={detail} />
      <Facts facts={factsOf(detail)} />
      <section>
        <Title order={3} mb="xs">
          Request body
        </Title>
        {type.startsWith('slots.') && (
          <Text size="sm" c="dimmed" mb="xs">
            Without <code>slots</code>, which are as they are at each attempt.
          </Text>
        )}
        <CodeBlock code={request} label="Request body" />
      </section>
      {responseBody !== undefined && responseBody !== '' && (
        <section>
          <Title order={3} mb="xs">
            Response body
          </Title>
          <CodeBlock code={responseBody} label="Response body" />
        </section>
      )}
    </Stack>
  )
}

function Retry({ org, subscription, detail }: DrawerProps & { detail: DeliveryDetail }) {
  const mayEdit = useMay('subscriptions.edit')
  const { retry } = useSubscriptionMutations(org)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const isWaiting = detail.status === 'queued'
  if (!mayEdit || (isWaiting && detail.attempts === 0)) return null
  const send = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { nextAttemptAtMs } = await retry(subscription, detail.id)
      if (nextAttemptAtMs === undefined) notifySuccess('The delivery is sent when the subscription is active.')
      else notifySuccess(isWaiting ? 'The delivery is sent now.' : 'The delivery is queued again.')
    } catch (error) {
      setError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={busy} leftSection={<IconRefresh size={16} aria-hidden />} onClick={send}>
        {isWaiting ? 'Send now' : 'Send again'}
      </Button>
      <FormError error={error} />
    </Stack>
  )
}

function factsOf(detail: DeliveryDetail) {
  const { id, status, createdAtMs, attempts, attemptedAtMs, nextAttemptAtMs, responseStatus, responseMs } = detail
  const { type, total } = detail
  const next = nextAttemptAtMs && <Timestamp key="next" at={nextAttemptAtMs} as="seconds" />
  return [
    [
      'Event ID',
      <Group key="id" gap={4} wrap="nowrap">
        <span style={{ overflowWrap: 'anywhere' }}>{id}</span>
        <CopyButton value={id} label="Copy event ID" />
      </Group>,
    ],
    ['Slots', type.startsWith('slots.') ? formatCount(total) : undefined],
    ['Created', <Timestamp key="created" at={createdAtMs} as="seconds" />],
    ['Attempts', formatCount(attempts)],
    ['Last attempt', attemptedAtMs && <Timestamp key="attempted" at={attemptedAtMs} as="seconds" />],
    ['Next attempt', status === 'queued' ? (next ?? 'When the subscription is active') : undefined],
    ['Response', responseStatus && <ReceiverStatus key="status" status={responseStatus} />],
    ['Latency', responseMs === undefined ? undefined : formatLatency(responseMs)],
  ] as const
}
