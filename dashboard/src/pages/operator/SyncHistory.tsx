import { Group, Switch, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { PastSyncView } from '../../../../src/shared/contract/sources.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatElapsed } from '../../components/format.ts'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { OutcomeBadge } from './SourceBadges.tsx'

const PAGE = 12
const PHONE_PAGE_SIZE = 6

/** The last syncs, newest first, optionally only those with changes or failures. */
export function SyncHistory({ history }: { history: readonly PastSyncView[] }) {
  const [onlyRelevant, setOnlyRelevant] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const pages = usePagination(onlyRelevant ? history.filter(isRelevant) : history, isNarrow ? PHONE_PAGE_SIZE : PAGE)
  if (history.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No completed syncs yet.
      </Text>
    )
  }
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {history.length === 1 ? '1 sync so far.' : `The last ${formatCount(history.length)}, newest first.`}
        </Text>
        <Switch
          size="sm"
          label="Only changes and failures"
          checked={onlyRelevant}
          onChange={(event) => setOnlyRelevant(event.currentTarget.checked)}
        />
      </Group>
      {pages.total === 0 ? (
        <Text size="sm">No sync changed anything.</Text>
      ) : (
        <DataTable
          caption="Syncs"
          dense
          columns={isNarrow ? PHONE_COLUMNS : COLUMNS}
          rows={pages.shown}
          rowKey={(sync) => String(sync.startedAtMs)}
        />
      )}
      <TablePagination label="Sync pages" {...pages} />
    </>
  )
}

function isRelevant({ outcome, unchanged, added, changed, removed, rejected }: PastSyncView): boolean {
  if (unchanged) return false
  return !isApplied(outcome) || added + changed + removed + rejected > 0
}

const COLUMNS: readonly TableColumn<PastSyncView>[] = [
  {
    key: 'at',
    header: 'Started',
    isTime: true,
    isRowHeader: true,
    render: (sync) => <Timestamp at={sync.startedAtMs} />,
  },
  { key: 'outcome', header: 'Outcome', render: (sync) => <Outcome sync={sync} /> },
  {
    key: 'took',
    header: 'Duration',
    align: 'end',
    render: (sync) => <span className={classes.nowrap}>{formatElapsed(sync.durationMs)}</span>,
  },
  { key: 'read', header: 'Read', align: 'end', render: (sync) => count(sync, sync.read) },
  { key: 'added', header: 'Added', align: 'end', render: (sync) => count(sync, sync.added) },
  { key: 'changed', header: 'Changed', align: 'end', render: (sync) => count(sync, sync.changed) },
  { key: 'removed', header: 'Removed', align: 'end', render: (sync) => count(sync, sync.removed) },
  { key: 'rejected', header: 'Rejected', align: 'end', render: (sync) => count(sync, sync.rejected) },
  { key: 'withheld', header: 'Withheld', align: 'end', render: (sync) => count(sync, sync.withheld) },
  { key: 'slots', header: 'Slots after', align: 'end', render: (sync) => formatCount(sync.slotCount) },
]

/** On phones, the changes of a sync in one line. */
const PHONE_COLUMNS: readonly TableColumn<PastSyncView>[] = [
  ...COLUMNS.filter(({ key }) => ['at', 'outcome'].includes(key)),
  { key: 'changes', header: 'Slots', render: (sync) => changeSummary(sync) },
  ...COLUMNS.filter(({ key }) => ['rejected', 'slots'].includes(key)),
]

function changeSummary({ outcome, added, changed, removed }: PastSyncView): string {
  if (!isApplied(outcome)) return '–'
  return `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed`
}

function Outcome({ sync }: { sync: PastSyncView }) {
  return (
    <div className={classes.reason}>
      <OutcomeBadge outcome={sync.outcome} />
      {sync.error !== undefined && (
        <Text size="xs" c="dimmed" mt={2} lineClamp={3} title={sync.error}>
          {sync.error}
        </Text>
      )}
      {sync.outcome === 'held' && (
        <Text size="xs" c="dimmed" mt={2}>
          {' '}
          Nothing changed
        </Text>
      )}
      {sync.unchanged && (
        <Text size="xs" c="dimmed" mt={2}>
          No changes
        </Text>
      )}
    </div>
  )
}

/** Failed and held syncs changed nothing. */
function count(sync: PastSyncView, value: number): string {
  return isApplied(sync.outcome) ? formatCount(value) : '–'
}

function isApplied(outcome: PastSyncView['outcome']): boolean {
  return outcome === 'ok' || outcome === 'partial'
}
