import { Stack } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UsageView } from '../../../../src/shared/shapes.ts'
import { EmptyState, ErrorState, LoadingBlock } from '../../parts/states.tsx'
import { UsageFigures } from './UsageFigures.tsx'

/** The usage once it is there; until then, without requests, or after a failure, what to do about it. `empty` is a button. */
export function UsageOrState(props: {
  query: UseQueryResult<UsageView>
  emptyTitle: string
  empty?: ReactNode
  children: (usage: UsageView) => ReactNode
}) {
  const { data, error, isPending, refetch } = props.query
  if (isPending) {
    return (
      <Stack gap="lg">
        <UsageFigures usage={undefined} />
        <LoadingBlock height={374} />
      </Stack>
    )
  }
  if (!data) return <ErrorState error={error} onRetry={refetch} title="The usage could not be loaded" />
  if (data.hours.length > 0) return props.children(data)
  return (
    <EmptyState icon={<IconChartBar aria-hidden />} title={props.emptyTitle} action={props.empty}>
      A request appears here about a second after it was answered. Send one with your key, or look at a longer
      time.
    </EmptyState>
  )
}
