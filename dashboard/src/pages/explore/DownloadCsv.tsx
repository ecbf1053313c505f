import { Anchor, Text } from '@mantine/core'
import { EXPLORE_CSV_ROWS_MAX } from '../../../../src/shared/explore-csv.ts'
import { exploreCsvUrl } from '../../api/queries.ts'
import { DownloadLink } from '../../components/DownloadLink.tsx'
import { formatCount } from '../../components/format.ts'
import { type ExploreState, slotParameters } from './explore-state.ts'

/** Downloads all matching slots, in the order of the list; says what to do instead if they are too many. */
export function DownloadCsv({ state, total }: { state: ExploreState; total: number }) {
  if (total > EXPLORE_CSV_ROWS_MAX)
    return (
      <Text size="sm" c="dimmed">
        To download a CSV file, add filters until at most {formatCount(EXPLORE_CSV_ROWS_MAX)} slots match, or{' '}
        <Anchor href="/docs/export" inherit underline="always">
          use an export of the API
        </Anchor>
        .
      </Text>
    )
  const { limit: _limit, offset: _offset, ...parameters } = slotParameters(state)
  return (
    <DownloadLink href={exploreCsvUrl(parameters)} size="xs">
      Download CSV
    </DownloadLink>
  )
}
