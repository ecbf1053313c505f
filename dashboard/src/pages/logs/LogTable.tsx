import { Badge, Text } from '@mantine/core'
import type { LogEntryView } from '../../../../src/shared/contract/logs.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatLatency } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import opening from '../../components/opening-rows.module.css'
import { Timestamp } from '../../components/Timestamp.tsx'
import { STATUS_COLORS, statusClass, statusLabel } from '../usage/status-labels.ts'
import type { LogAddress } from './log-state.ts'
import classes from './logs.module.css'

interface LogTableProps {
  readonly org: string
  readonly entries: readonly LogEntryView[]
  readonly caption: string
  /** The names of keys by id; without it, the table has no column for the key. */
  readonly keyNames?: ReadonlyMap<string, string>
  /** The filters of the page that a request opens; those of the URL by default. */
  readonly filters?: LogAddress
}

/** Requests, newest first. Each opens its details. */
export function LogTable(props: LogTableProps) {
  const { caption, entries } = props
  return (
    <div className={`${opening.rows} ${classes.rows}`}>
      <DataTable caption={caption} columns={columnsOf(props)} rows={entries} rowKey={({ id }) => String(id)} dense />
    </div>
  )
}

function columnsOf({ org, entries, keyNames, filters }: LogTableProps): readonly TableColumn<LogEntryView>[] {
  const hasAddresses = entries.some(({ address }) => address !== undefined)
  return [
    {
      key: 'time',
      header: 'Time',
      isTime: true,
      render: ({ atMs, leftOut }) => (
        <>
          <Timestamp at={atMs} as="seconds" />
          {leftOut > 0 && <LeftOut count={leftOut} />}
        </>
      ),
    },
    { key: 'status', header: 'Status', render: ({ status }) => <HttpStatusBadge status={status} /> },
    {
      key: 'request',
      header: 'Request',
      isRowHeader: true,
      render: (entry) => (
        <PageLink
          to="/app/o/$org/logs/$request"
          params={{ org, request: entry.requestId }}
          search={
            ((previous: object) => ({
              ...(filters ?? previous),
              entry: isRepeated(entry, entries) ? String(entry.id) : undefined,
            })) as never
          }
          resetScroll={false}
          className={`${opening.open} ${classes.open}`}
        >
          <span className={classes.target}>{`${entry.method} ${entry.target}`}</span>
        </PageLink>
      ),
    },
    ...(keyNames === undefined
      ? []
      : [
          {
            key: 'key',
            header: 'API key',
            render: ({ keyId }: LogEntryView) => <KeyName name={keyNames.get(keyId)} />,
          },
        ]),
    ...(hasAddresses
      ? [
          {
            key: 'address',
            header: 'Network address',
            render: ({ address }: LogEntryView) => address ?? 'Not recorded',
          },
        ]
      : []),
    { key: 'duration', header: 'Duration', align: 'end', render: ({ durationMs }) => formatLatency(durationMs) },
  ]
}

/** The status of a response, colored by class. */
export function HttpStatusBadge({ status }: { status: number }) {
  return (
    <Badge variant="light" tt="none" className={classes.status} color={STATUS_COLORS[statusClass(status)]}>
      {statusLabel(status)}
    </Badge>
  )
}

function KeyName({ name = 'Deleted key' }: { name: string | undefined }) {
  return (
    <span className={classes.key} title={name} dir="auto">
      {name}
    </span>
  )
}

function LeftOut({ count }: { count: number }) {
  return (
    <Text size="xs" c="dimmed">
      {formatCount(count)} before it not logged
    </Text>
  )
}

/** Callers choose request IDs, so they may repeat. */
function isRepeated({ id, requestId }: LogEntryView, entries: readonly LogEntryView[]): boolean {
  return entries.some((other) => other.requestId === requestId && other.id !== id)
}
