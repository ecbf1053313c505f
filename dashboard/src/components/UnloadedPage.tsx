import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { IconMapQuestion } from './icons.tsx'
import { PageHeader } from './PageHeader.tsx'
import { EmptyState, ErrorState, LoadingBlock } from './states.tsx'

/**
 * The page of one thing, a `title`, while `query` loads it or could not. If it does not exist, `children` say why that may be, and
 * `action` leads on.
 */
export function UnloadedPage(props: {
  query: UseQueryResult
  title: string
  above: ReactNode
  action: ReactNode
  children?: string
}) {
  const { query, title, above, action, children = 'It may have been deleted, or the URL is wrong.' } = props
  const isMissing = query.error instanceof ApiError && query.error.status === 404
  return (
    <>
      <PageHeader title={title} above={above} />
      {query.isPending && <LoadingBlock height={480} />}
      {query.isError && !isMissing && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {isMissing && (
        <EmptyState icon={<IconMapQuestion aria-hidden />} title={`${title} not found`} action={action}>
          {children}
        </EmptyState>
      )}
    </>
  )
}
