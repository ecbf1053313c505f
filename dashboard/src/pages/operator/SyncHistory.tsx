import { Group, Switch, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { FinishedSync } from '../../../../src/store/contracts/source-store.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatDuration } from '../../components/format.ts'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { OutcomeBadge } from './SourceBadges.tsx'

const PAGE = 12
const PAGE_ON_PHONES = 6

/** The last syncs, newest first; on demand only those that brought something or failed. */
export function SyncHistory({ history }: { history: readonly FinishedSync[] }) {
  const [onlyTelling, setOnlyTelling] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const pages = usePagination(
    onlyTelling ? history.filter(isTelling) : history,
    isNarrow ? PAGE_ON_PHONES : PAGE,
  )
  if (history.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No sync is over yet. The first one shows up here by itself.
      </Text>
    )
  }
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {history.length === 1
            ? 'The only one so far.'
            : `The last ${formatCount(history.length)}, newest first.`}
        </Text>
        <Switch
          size="sm"
          label="Only changes and failures"
          checked={onlyTelling}
          onChange={(event) => setOnlyTelling(event.currentTarget.checked)}
        />
      </Group>
      {pages.total === 0 ? (
        <Text size="sm">None of them changed anything.</Text>
      ) : (
        <DataTable
          caption="Syncs"
          dense
          columns={isNarrow ? COLUMNS_ON_PHONES : COLUMNS}
          rows={pages.shown}
          rowKey={(sync) => String(sync.startedAtMs)}
        />
      )}
      <TablePagination label="Pages of syncs" {...pages} />
    </>
  )
}

function isTelling({ outcome, added, changed, removed, rejected }: FinishedSync): boolean {
  return !isTaken(outcome) || added + changed + removed + rejected > 0
}

const COLUMNS: readonly TableColumn<FinishedSync>[] = [
  { key: 'at', header: 'Started', isRowHeader: true, render: (sync) => <Timestamp at={sync.startedAtMs} /> },
  { key: 'outcome', header: 'Outcome', render: (sync) => <Outcome sync={sync} /> },
  {
    key: 'took',
    header: 'Took',
    align: 'end',
    render: (sync) => <span className={classes.nowrap}>{formatDuration(sync.durationMs)}</span>,
  },
  { key: 'read', header: 'Read', align: 'end', render: (sync) => count(sync, sync.read) },
  { key: 'added', header: 'Added', align: 'end', render: (sync) => count(sync, sync.added) },
  { key: 'changed', header: 'Changed', align: 'end', render: (sync) => count(sync, sync.changed) },
  { key: 'removed', header: 'Removed', align: 'end', render: (sync) => count(sync, sync.removed) },
  { key: 'rejected', header: 'Rejected', align: 'end', render: (sync) => count(sync, sync.rejected) },
  { key: 'withheld', header: 'Withheld', align: 'end', render: (sync) => count(sync, sync.withheld) },
  { key: 'slots', header: 'Slots after', align: 'end', render: (sync) => formatCount(sync.slotCount) },
]

/** A card for each sync, with what counts in one line. */
const COLUMNS_ON_PHONES: readonly TableColumn<FinishedSync>[] = [
  ...COLUMNS.filter(({ key }) => ['at', 'outcome'].includes(key)),
  { key: 'changes', header: 'Slots', render: (sync) => changeWords(sync) },
  ...COLUMNS.filter(({ key }) => ['rejected', 'slots'].includes(key)),
]

function changeWords({ outcome, added, changed, removed }: FinishedSync): string {
  if (!isTaken(outcome)) return '–'
  return `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed`
}

function Outcome({ sync }: { sync: FinishedSync }) {
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
          Nothing changed
        </Text>
      )}
      {sync.unchanged && (
        <Text size="xs" c="dimmed" mt={2}>
          Nothing new
        </Text>
      )}
    </div>
  )
}

/** What failed counted nothing, and what is held only what it would have changed. */
function count(sync: FinishedSync, value: number): string {
  return isTaken(sync.outcome) ? formatCount(value) : '–'
}

function isTaken(outcome: FinishedSync['outcome']): boolean {
  return outcome === 'ok' || outcome === 'partial'
}
