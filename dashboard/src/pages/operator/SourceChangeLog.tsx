import { Text } from '@mantine/core'
import type { SourceActionView } from '../../../../src/shared/source-shapes.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { PageLink } from '../../components/links.tsx'
import { TablePagination, usePagination } from '../../components/Pagination.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import classes from './operator.module.css'
import { actionLabel } from './source-labels.ts'

const PAGE = 6

/** What operators did to a source, newest first. */
export function SourceChangeLog({ actions }: { actions: readonly SourceActionView[] }) {
  const pages = usePagination(actions, PAGE)
  if (actions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody has changed it since this is written down.
      </Text>
    )
  }
  return (
    <>
      <SourceChangeTable actions={pages.shown} />
      <TablePagination label="Pages of changes by operators" {...pages} />
    </>
  )
}

/** The same of all sources, each with its own; one that is gone leads nowhere. */
export function SourceChangeTable(props: {
  actions: readonly SourceActionView[]
  /** With the slugs of those that are there: a column of sources. */
  slugs?: ReadonlySet<string>
}) {
  const { actions, slugs } = props
  return (
    <DataTable
      caption="Changes by operators"
      dense
      columns={slugs === undefined ? [WHEN, ...WHAT] : [WHEN, ofSources(slugs), ...WHAT]}
      rows={actions}
      rowKey={({ id }) => String(id)}
    />
  )
}

const WHEN: TableColumn<SourceActionView> = {
  key: 'at',
  header: 'When',
  isRowHeader: true,
  render: ({ atMs }) => <Timestamp at={atMs} />,
}

const WHAT: readonly TableColumn<SourceActionView>[] = [
  {
    key: 'what',
    header: 'What',
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

function ofSources(slugs: ReadonlySet<string>): TableColumn<SourceActionView> {
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
