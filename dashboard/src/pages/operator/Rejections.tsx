import { Code, Group, NativeSelect, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { SourceDetail } from '../../../../src/shared/source-shapes.ts'
import type { StoredRejection } from '../../../../src/store/contracts/source-store.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import classes from './operator.module.css'
import { kindOfReason, reasonKinds } from './rejection-reasons.ts'
import { shortAddress } from './source-labels.ts'

const PAGE = 10
const PAGE_ON_PHONES = 4

/** The lines that could not become slots: where, and why. What a sync keeps of them is a sample. */
export function Rejections({ source }: { source: SourceDetail }) {
  const { rejections } = source
  const [kind, setKind] = useState('')
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const pages = usePagination(
    rejections.filter(({ reason }) => kind === '' || kindOfReason(reason) === kind),
    isNarrow ? PAGE_ON_PHONES : PAGE,
  )
  if (rejections.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {source.lastSync === undefined
          ? 'Nothing was read yet.'
          : 'None: every line that the last good sync read could become a slot.'}
      </Text>
    )
  }
  const kinds = reasonKinds(rejections)
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="sm">
        <Text size="sm" c="dimmed" maw={560}>
          {words(rejections.length)} Show the publisher the line and the reason: everything else of the feed
          is served all the same.
        </Text>
        <NativeSelect
          aria-label="Reason"
          w={{ base: '100%', xs: 260 }}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[
            { value: '', label: `All reasons (${formatCount(rejections.length)})` },
            ...kinds.map(({ kind: value, count }) => ({ value, label: `${value} (${formatCount(count)})` })),
          ]}
        />
      </Group>
      <DataTable
        caption="Rejected lines"
        dense
        columns={COLUMNS}
        rows={pages.shown}
        rowKey={({ file, line }) => `${file} ${line}`}
      />
      <TablePagination label="Pages of rejected lines" {...pages} />
    </>
  )
}

function words(count: number): string {
  return count === 1 ? 'One line was rejected.' : `${formatCount(count)} rejected lines are kept.`
}

const COLUMNS: readonly TableColumn<StoredRejection>[] = [
  {
    key: 'reason',
    header: 'Reason',
    isRowHeader: true,
    render: ({ reason }) => <div className={classes.reason}>{reason}</div>,
  },
  {
    key: 'where',
    header: 'Where',
    render: ({ file, line }) => (
      <div className={classes.file}>
        Line {formatCount(line)}
        <Text size="xs" c="dimmed">
          {shortAddress(file)}
        </Text>
      </div>
    ),
  },
  {
    key: 'sample',
    header: 'The line begins',
    render: ({ sample }) => (
      <Code className={classes.sample} tabIndex={0}>
        {sample}
      </Code>
    ),
  },
]
