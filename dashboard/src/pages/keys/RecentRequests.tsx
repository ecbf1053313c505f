import { Badge, Button, Code, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyView, RequestView } from '../../../../src/shared/contract/keys.ts'
import { keyRequestsQuery } from '../../api/queries.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatLatency } from '../../components/format.ts'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { STATUS_COLORS, statusClass, statusLabel } from '../usage/status-labels.ts'
import { isActiveKey } from './key-labels.ts'
import classes from './keys.module.css'

const INITIAL_ROWS = 10

/** The newest requests with a key, refreshed periodically. */
export function RecentRequests({ org, keyView }: { org: string; keyView: KeyView }) {
  const [showsAll, setShowsAll] = useState(false)
  const requests = useQuery({
    ...keyRequestsQuery(org, keyView.id),
    refetchInterval: isActiveKey(keyView) ? 5_000 : false,
  })
  const rows = requests.data ?? []
  // Unused keys show a quickstart instead.
  if (requests.data?.length === 0 && keyView.lastUsedAtMs === undefined) return null
  return (
    <section aria-labelledby="latest">
      <Title order={2} id="latest" mb="sm">
        Latest requests
      </Title>
      {requests.isPending && <LoadingRows rows={INITIAL_ROWS} height={36} />}
      {requests.isError && !requests.data && <ErrorState error={requests.error} onRetry={requests.refetch} />}
      {requests.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No recent requests.
        </Text>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Latest requests"
          columns={COLUMNS}
          rows={showsAll ? rows : rows.slice(0, INITIAL_ROWS)}
          rowKey={(request) => `${request.requestId} ${request.atMs}`}
          dense
        />
      )}
      {rows.length > INITIAL_ROWS && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the newest ${INITIAL_ROWS}` : `Show all ${rows.length}`}
        </Button>
      )}
    </section>
  )
}

const COLUMNS: readonly TableColumn<RequestView>[] = [
  { key: 'time', header: 'Time', render: (request) => <RequestTime atMs={request.atMs} /> },
  {
    key: 'request',
    header: 'Request',
    isRowHeader: true,
    render: (request) => <Code className={classes.target}>{`${request.method} ${request.target}`}</Code>,
  },
  {
    key: 'status',
    header: 'Status',
    render: (request) => (
      <Badge variant="light" tt="none" color={STATUS_COLORS[statusClass(request.status)]}>
        {statusLabel(request.status)}
      </Badge>
    ),
  },
  {
    key: 'latency',
    header: 'Latency',
    align: 'end',
    render: (request) => formatLatency(request.durationMs),
  },
  {
    key: 'id',
    header: 'Request ID',
    render: (request) => (
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{request.requestId}</Code>
        <CopyButton value={request.requestId} label={`Copy request ID ${request.requestId}`} />
      </Group>
    ),
  },
]

/** Today's requests to the second, older ones with their date. */
function RequestTime({ atMs }: { atMs: number }) {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  return <Timestamp at={atMs} as={isToday ? 'time' : 'datetime'} />
}
