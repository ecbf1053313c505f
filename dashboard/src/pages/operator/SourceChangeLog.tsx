import { Text } from '@mantine/core'
import type { SourceActionView } from '../../../../src/shared/contract/sources.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { PageLink } from '../../components/links.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { actionLabel } from './source-labels.ts'

const PAGE = 6

/** Changes to a source by operators, newest first. */
export function SourceChangeLog({ actions }: { actions: readonly SourceActionView[] }) {
  const pages = usePagination(actions, PAGE)
  if (actions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No changes recorded.
      </Text>
    )
  }
  return (
    <>
      <SourceChangeTable actions={pages.shown} />
      <TablePagination label="Change log pages" {...pages} />
    </>
  )
}

/** The changes as a table. Removed sources are not linked. */
export function SourceChangeTable(props: {
  actions: readonly SourceActionView[]
  /** The slugs of existing sources; adds a column of sources. */
  slugs?: ReadonlySet<string>
}) {
  const { actions, slugs } = props
  return (
    <DataTable
      caption="Change log"
      dense
      columns={
        slugs === undefined ? [TIME_COLUMN, ...CHANGE_COLUMNS] : [TIME_COLUMN, sourceColumn(slugs), ...CHANGE_COLUMNS]
      }
      rows={actions}
      rowKey={({ id }) => String(id)}
    />
  )
}

const TIME_COLUMN: TableColumn<SourceActionView> = {
  key: 'at',
  header: 'Time',
  isTime: true,
  isRowHeader: true,
  render: ({ atMs }) => <Timestamp at={atMs} />,
}

const CHANGE_COLUMNS: readonly TableColumn<SourceActionView>[] = [
  {
    key: 'what',
    header: 'Change',
    render: (action) => <div className={classes.reason}>{actionLabel(action)}</div>,
  },
  {
    key: 'by',
    header: 'By',
    render: ({ actor, address }) => (
      <div className={classes.reason}>
        {actor}
        {address !== undefined && (
          <Text size="xs" c="dimmed">
            {address}
          </Text>
        )}
      </div>
    ),
  },
]

function sourceColumn(slugs: ReadonlySet<string>): TableColumn<SourceActionView> {
  return {
    key: 'source',
    header: 'Source',
    render: ({ slug }) =>
      slugs.has(slug) ? (
        <PageLink to="/app/operator/sources/$slug" params={{ slug }} size="sm" underline="always">
          {slug}
        </PageLink>
      ) : (
        slug
      ),
  }
}
