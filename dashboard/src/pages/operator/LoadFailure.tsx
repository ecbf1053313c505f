import type { ReactNode } from 'react'
import { ApiError } from '../../api/client.ts'
import { IconMapQuestion } from '../../components/icons.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'

/** Why an organization or account could not be loaded; `action` leads on from one that does not exist. */
export function LoadFailure(props: { error: unknown; onRetry: () => void; title: string; action: ReactNode }) {
  const { error, onRetry, title, action } = props
  if (!(error instanceof ApiError) || error.status !== 404) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <EmptyState icon={<IconMapQuestion aria-hidden />} title={title} action={action}>
      It may have been deleted, or the URL is wrong.
    </EmptyState>
  )
}
