import { Group, Pagination, Text } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from './format.ts'

/** Rows that are all here, shown by the page. */
export function usePagination<Row>(rows: readonly Row[], size: number) {
  const [wanted, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const page = Math.min(wanted, pages)
  return {
    shown: rows.slice((page - 1) * size, page * size),
    page,
    size,
    total: rows.length,
    onPage: setPage,
  }
}

/** Which of how many are shown, and ways to the others; nothing where all fit on one page. `label` says of what: "Pages of syncs". */
export function TablePagination(props: {
  label: string
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}) {
  const { page, size, total } = props
  if (total <= size) return null
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="sm" c="dimmed">
        {`${formatCount((page - 1) * size + 1)} to ${formatCount(Math.min(page * size, total))} of ${formatCount(total)}`}
      </Text>
      <Pagination
        component="nav"
        aria-label={props.label}
        size="sm"
        siblings={0}
        total={Math.ceil(total / size)}
        value={page}
        onChange={props.onPage}
        getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  )
}

const CONTROLS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const
