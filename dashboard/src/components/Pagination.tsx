import { Group, Pagination, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatCount } from './format.ts'

/** Client-side pagination of rows. */
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

interface PaginationProps {
  /** Names the page links: "Sync pages". */
  readonly label: string
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onPage: (page: number) => void
  /** Rows before the first one shown, if not a multiple of `size`. */
  readonly offset?: number
  /** Page links beside the current one. */
  readonly siblings?: number
  /** Beside the range of rows. */
  readonly children?: ReactNode
}

/** The range of rows shown, and page links; nothing if all rows fit on one page. */
export function TablePagination(props: PaginationProps) {
  return props.total <= props.size ? null : <PaginationBar {...props} />
}

/** The same even if all rows fit on one page. */
export function PaginationBar({ page, size, total, ...props }: PaginationProps) {
  const first = (props.offset ?? (page - 1) * size) + 1
  const last = Math.min(first + size - 1, total)
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {`${formatCount(first)} to ${formatCount(last)} of ${formatCount(total)}`}
        </Text>
        {props.children}
      </Group>
      <Pagination
        component="nav"
        aria-label={props.label}
        size="sm"
        siblings={props.siblings ?? 0}
        total={Math.ceil(total / size)}
        value={page}
        onChange={props.onPage}
        getControlProps={(control) => ({ 'aria-label': CONTROL_LABELS[control] })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  )
}

const CONTROL_LABELS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const
