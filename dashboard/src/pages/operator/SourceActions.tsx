import { Text } from '@mantine/core'
import type { SourceActionView } from '../../../../src/shared/source-shapes.ts'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { PageLink } from '../../parts/links.tsx'
import { When } from '../../parts/When.tsx'
import classes from './operator.module.css'
import { Pages, usePages } from './paging.tsx'
import { actionWords } from './source-action-words.ts'

const PAGE = 6

/** What operators did to a source, newest first. */
export function SourceActions({ actions }: { actions: readonly SourceActionView[] }) {
  const pages = usePages(actions, PAGE)
  if (actions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody has changed it since this is written down.
      </Text>
    )
  }
  return (
    <>
      <SourceActionsTable actions={pages.shown} />
      <Pages label="Pages of changes by operators" {...pages} />
    </>
  )
}

/** The same of all sources, each with its own; one that is gone leads nowhere. */
export function SourceActionsTable(props: {
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

const WHEN: Column<SourceActionView> = {
  key: 'at',
  header: 'When',
  isRowHeader: true,
  render: ({ atMs }) => <When at={atMs} />,
}

const WHAT: readonly Column<SourceActionView>[] = [
  {
    key: 'what',
    header: 'What',
    render: (action) => <div className={classes.reason}>{actionWords(action)}</div>,
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

function ofSources(slugs: ReadonlySet<string>): Column<SourceActionView> {
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
