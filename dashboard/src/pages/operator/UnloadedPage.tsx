import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/client.ts'
import { IconMapQuestion } from '../../components/icons.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, LoadingBlock } from '../../components/states.tsx'

/** The page of an organization or account while `query` loads it or could not; `action` leads on from one that does not exist. */
export function UnloadedPage(props: { query: UseQueryResult; title: string; above: ReactNode; action: ReactNode }) {
  const { query, title, above, action } = props
  const isMissing = query.error instanceof ApiError && query.error.status === 404
  return (
    <>
      <PageHeader title={title} above={above} />
      {query.isPending && <LoadingBlock height={480} />}
      {query.isError && !isMissing && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {isMissing && (
        <EmptyState icon={<IconMapQuestion aria-hidden />} title={`${title} not found`} action={action}>
          It may have been deleted, or the URL is wrong.
        </EmptyState>
      )}
    </>
  )
}
