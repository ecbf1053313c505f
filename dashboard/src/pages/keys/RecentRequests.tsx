import { useQuery } from '@tanstack/react-query'
import type { KeyView } from '../../../../src/shared/contract/keys.ts'
import { logQuery } from '../../api/queries.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { TitledSection } from '../../components/TitledSection.tsx'
import { LogTable } from '../logs/LogTable.tsx'
import { isActiveKey } from './key-labels.ts'

const SHOWN_MAX = 10

/** The newest requests with a key in the request log, refreshed periodically. */
export function RecentRequests({ org, keyView }: { org: string; keyView: KeyView }) {
  const filters = { key: keyView.id }
  const requests = useQuery({
    ...logQuery(org, filters, SHOWN_MAX),
    refetchInterval: isActiveKey(keyView) ? 5_000 : false,
  })
  const rows = requests.data ?? []
  // Unused keys show a quickstart instead.
  if (rows.length === 0 && keyView.lastUsedAtMs === undefined) return null
  return (
    <TitledSection
      title="Latest requests"
      empty={requests.data?.length === 0 && 'No recent requests.'}
      beside={
        <PageLink to="/app/o/$org/logs" params={{ org }} search={filters as never} size="sm">
          Open in the logs
        </PageLink>
      }
    >
      {requests.isPending && <LoadingRows rows={SHOWN_MAX} height={36} />}
      {requests.isError && !requests.data && <ErrorState error={requests.error} onRetry={requests.refetch} />}
      {rows.length > 0 && <LogTable org={org} entries={rows} caption="Latest requests" filters={filters} />}
    </TitledSection>
  )
}
