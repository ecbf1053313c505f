import { useQuery } from '@tanstack/react-query'
import type { TopQueriesView } from '../../../../src/shared/contract/usage.ts'
import { topQueriesQuery, type UsageRange } from '../../api/queries.ts'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatLatency, formatShare } from '../../components/format.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorState, LoadingRows, Refreshing } from '../../components/states.tsx'
import { Timestamp } from '../../components/Timestamp.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { decodeTarget, exploreSearch } from '../logs/log-state.ts'
import palette from './palette.module.css'

type Row = TopQueriesView['queries'][number]

/** The most frequent queries of a period, as far as the request log has them. */
export function TopQueries({ org, range }: { org: string; range: UsageRange }) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(topQueriesQuery(org, range))
  return (
    <Refreshing isOutdated={isPlaceholderData}>
      <TitledSection
        title="Top queries"
        description={
          data === undefined || data.requests > 0 ? (
            <>
              Of the newest requests in the{' '}
              <PageLink to="/app/o/$org/logs" params={{ org }} inherit underline="always">
                logs
              </PageLink>
              {data?.sinceMs !== undefined && (
                <>
                  : {formatCount(data.requests)} since <Timestamp at={data.sinceMs} />
                </>
              )}
              . Pages, times and IDs are not distinguished.
            </>
          ) : (
            'The logs have no requests of this period.'
          )
        }
      >
        {isPending && <LoadingRows rows={5} height={34} />}
        {error && !data && <ErrorState error={error} onRetry={refetch} title="Top queries could not be loaded" />}
        {data && data.queries.length > 0 && (
          <DataTable
            caption="Top queries"
            columns={columnsOf(data.requests)}
            rows={data.queries}
            rowKey={({ method, target }) => `${method} ${target}`}
            dense
          />
        )}
      </TitledSection>
    </Refreshing>
  )
}

function columnsOf(all: number): TableColumn<Row>[] {
  return [
    { key: 'query', header: 'Query', isRowHeader: true, width: '52%', render: (row) => <Query {...row} /> },
    { key: 'requests', header: 'Requests', align: 'end', render: (row) => formatCount(row.requests) },
    { key: 'share', header: 'Share', align: 'end', render: (row) => formatShare(row.requests, all) },
    { key: 'errors', header: 'Errors', align: 'end', render: (row) => formatShare(row.errors, row.requests) },
    { key: 'p95', header: '95th percentile (p95)', align: 'end', render: (row) => formatLatency(row.p95Ms) },
  ]
}

/** The decoded query; a search for slots opens in Explore. */
function Query({ method, target }: Row) {
  const { path, parameters } = decodeTarget(target)
  const search = exploreSearch({ target, isComplete: true })
  const filters = parameters.map(([name, value]) => `${name}=${value}`).join(' & ')
  const line = `${method} ${path}`
  return (
    <span className={palette.query}>
      {search ? (
        <PageLink to="/app/explore" search={search as never} aria-label={`Open in Explore: ${line} ${filters}`}>
          {line}
        </PageLink>
      ) : (
        line
      )}
      {filters && <bdi className={palette.filters}>{filters}</bdi>}
    </span>
  )
}
