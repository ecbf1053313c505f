import { Text } from '@mantine/core'
import type { SourceDetail } from '../../../../src/shared/contract/sources.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { HealthBadge } from './SourceBadges.tsx'

type Event = SourceDetail['events'][number]

const PAGE = 6

/** Health changes of a source, newest first. */
export function HealthEvents({ events }: { events: readonly Event[] }) {
  const pages = usePagination(events, PAGE)
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No health changes yet.
      </Text>
    )
  }
  return (
    <>
      <DataTable caption="Health changes" dense columns={COLUMNS} rows={pages.shown} rowKey={({ id }) => String(id)} />
      <TablePagination label="Health change pages" {...pages} />
    </>
  )
}

const COLUMNS: readonly TableColumn<Event>[] = [
  { key: 'at', header: 'Time', isTime: true, isRowHeader: true, render: ({ atMs }) => <Timestamp at={atMs} /> },
  { key: 'from', header: 'From', render: ({ from }) => <HealthBadge health={from} /> },
  { key: 'to', header: 'To', render: ({ to }) => <HealthBadge health={to} /> },
  {
    key: 'why',
    header: 'Reason',
    render: ({ why }) => <div className={classes.reason}>{why || 'No issues.'}</div>,
  },
]
