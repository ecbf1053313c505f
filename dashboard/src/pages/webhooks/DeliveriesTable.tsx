import { Badge, Text, UnstyledButton } from '@mantine/core'
import type { DeliveryView } from '../../../../src/shared/contract/subscriptions.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatLatency } from '../../components/format.ts'
import opening from '../../components/opening-rows.module.css'
import { Timestamp } from '../../components/Timestamp.tsx'
import { STATUS_COLORS, statusClass } from '../usage/status-labels.ts'
import { DELIVERY_STATUS_LABELS, eventLabel } from './subscription-labels.ts'

interface TableProps {
  readonly deliveries: readonly DeliveryView[]
  readonly onOpen: (id: string) => void
}

/** Deliveries, newest first. Each opens its details. */
export function DeliveriesTable({ deliveries, onOpen }: TableProps) {
  return (
    <div className={opening.rows}>
      <DataTable caption="Deliveries" columns={columnsOf(onOpen)} rows={deliveries} rowKey={({ id }) => id} dense />
    </div>
  )
}

function columnsOf(onOpen: TableProps['onOpen']): TableColumn<DeliveryView>[] {
  return [
    {
      key: 'event',
      header: 'Event',
      isRowHeader: true,
      render: ({ id, type, total }) => (
        <UnstyledButton className={opening.open} fz="sm" fw={600} onClick={() => onOpen(id)}>
          {eventLabel(type)}
          {type.startsWith('slots.') && ` (${formatCount(total)})`}
        </UnstyledButton>
      ),
    },
    {
      key: 'created',
      header: 'Created',
      isTime: true,
      render: ({ createdAtMs }) => <Timestamp at={createdAtMs} as="seconds" />,
    },
    { key: 'status', header: 'Status', render: ({ status }) => <DeliveryBadge status={status} /> },
    { key: 'attempts', header: 'Attempts', align: 'end', render: ({ attempts }) => formatCount(attempts) },
    { key: 'response', header: 'Response', render: (delivery) => <LastResponse {...delivery} /> },
    {
      key: 'latency',
      header: 'Latency',
      align: 'end',
      render: ({ responseMs }) => (responseMs === undefined ? '' : formatLatency(responseMs)),
    },
  ]
}

/** The status of a delivery. */
export function DeliveryBadge({ status }: Pick<DeliveryView, 'status'>) {
  const { color, label } = DELIVERY_STATUS_LABELS[status]
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  )
}

function LastResponse({ responseStatus, error, attempts }: DeliveryView) {
  if (responseStatus !== undefined) return <ReceiverStatus status={responseStatus} />
  return (
    <Text span size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {attempts === 0 ? 'Not sent yet' : (error ?? 'No response')}
    </Text>
  )
}

/** The status of a receiver's response. */
export function ReceiverStatus({ status }: { status: number }) {
  return (
    <Badge variant="light" color={STATUS_COLORS[statusClass(status)]}>
      {status}
    </Badge>
  )
}
