import { Code, Group, NativeSelect, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { RejectionView, SourceDetail } from '../../../../src/shared/contract/sources.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import classes from './operator.module.css'
import { kindOfReason, reasonKinds } from './rejection-reasons.ts'
import { shortUrl } from './source-labels.ts'

const PAGE = 10
const PHONE_PAGE_SIZE = 4

/** A sample of the rejected lines of the current snapshot, with the reasons. */
export function Rejections({ source }: { source: SourceDetail }) {
  const { rejections } = source
  const [kind, setKind] = useState('')
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const pages = usePagination(
    rejections.filter(({ reason }) => kind === '' || kindOfReason(reason) === kind),
    isNarrow ? PHONE_PAGE_SIZE : PAGE,
  )
  if (rejections.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {source.lastSync === undefined ? 'No sync yet.' : 'None. The last successful sync accepted every line.'}
      </Text>
    )
  }
  const kinds = reasonKinds(rejections)
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="sm">
        <Text size="sm" c="dimmed" maw={560}>
          {summary(rejections.length, source.lastRead?.rejected ?? 0)} Send the publisher the line and the reason. All
          other slots of the feed are available.
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
      <TablePagination label="Rejected line pages" {...pages} />
    </>
  )
}

function summary(count: number, all: number): string {
  if (all > count) return `${formatCount(count)} of ${formatCount(all)} rejected lines.`
  return count === 1 ? '1 line was rejected.' : `${formatCount(count)} rejected lines.`
}

const COLUMNS: readonly TableColumn<RejectionView>[] = [
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
          {shortUrl(file)}
        </Text>
      </div>
    ),
  },
  {
    key: 'sample',
    header: 'Excerpt',
    render: ({ sample }) => (
      <Code className={classes.sample} tabIndex={0}>
        {sample}
      </Code>
    ),
  },
]
