import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getSourceLog } from '../../api/source-queries.ts'
import { formatCount } from '../../components/format.ts'
import { IconHistory } from '../../components/icons.tsx'
import { BackLink } from '../../components/links.tsx'
import { MoreButton } from '../../components/MoreButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { SourceChangeTable } from './SourceChangeLog.tsx'

const PAGE = 50

/** All changes to sources by operators, newest first, including removed sources. */
export function SourceChangeLogPage() {
  const log = useInfiniteQuery({
    queryKey: ['operator', 'sources', '', 'log'],
    queryFn: ({ pageParam, signal }) => getSourceLog({ beforeId: pageParam, limit: PAGE }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.actions.length < PAGE ? undefined : last.actions.at(-1)?.id),
  })
  const pages = log.data?.pages ?? []
  const actions = pages.flatMap((page) => page.actions)
  return (
    <>
      <PageHeader title="Change log" above={<BackLink to="/app/operator/sources">All sources</BackLink>}>
        All changes to sources, including removed ones. Edits list the fields, never the values.
      </PageHeader>
      <Stack gap="md">
        {log.isPending && <LoadingRows rows={8} height={40} />}
        {log.isError && !log.data && <ErrorState error={log.error} onRetry={log.refetch} />}
        {log.data && actions.length === 0 && (
          <EmptyState icon={<IconHistory aria-hidden />} title="No changes yet">
            Sources that operators add, edit, pause, import or remove appear here.
          </EmptyState>
        )}
        {actions.length > 0 && (
          <SourceChangeTable actions={actions} slugs={new Set(pages.flatMap(({ existing }) => existing))} />
        )}
        {actions.length > 0 && !log.hasNextPage && (
          <Text size="sm" c="dimmed" ta="center" role="status">
            {actions.length === 1 ? "That's the only change." : `That's all ${formatCount(actions.length)} changes.`}
          </Text>
        )}
        <MoreButton query={log}>Show older changes</MoreButton>
      </Stack>
    </>
  )
}
