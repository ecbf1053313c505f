import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { UsageView } from '../../../../src/shared/shapes.ts'
import { formatCount, formatLatency, formatShare } from './figures.ts'
import palette from './palette.module.css'
import { usageTotals } from './usage-series.ts'

/** Requests, errors and latencies of a time, in four figures. Without `usage` they hold their place. */
export function UsageFigures({ usage }: { usage: UsageView | undefined }) {
  const totals = usageTotals(usage?.hours ?? [])
  return (
    <dl className={palette.figures} aria-busy={!usage || undefined}>
      <Figure name="Requests" note="all answers">
        {usage && formatCount(totals.requests)}
      </Figure>
      <Figure name="Errors" note={errorNote(totals)}>
        {usage && formatShare(totals.errors, totals.requests)}
      </Figure>
      <Figure name="Median latency (p50)" note="inside the service">
        {usage && (usage.latency ? formatLatency(usage.latency.p50Ms) : '–')}
      </Figure>
      <Figure name="95th percentile (p95)" note="95 of 100 were faster">
        {usage && (usage.latency ? formatLatency(usage.latency.p95Ms) : '–')}
      </Figure>
    </dl>
  )
}

function Figure(props: { name: string; note: string; children: ReactNode }) {
  return (
    <div className={palette.figure}>
      <dt>{props.name}</dt>
      <dd className={palette.value}>{props.children ?? <Skeleton height={22} width={84} mt={4} />}</dd>
      <dd className={palette.note}>{props.note}</dd>
    </div>
  )
}

function errorNote({ errors, failures }: ReturnType<typeof usageTotals>): string {
  if (errors === 0) return 'no 4xx or 5xx'
  if (failures === 0) return `${formatCount(errors)} × 4xx`
  return `${formatCount(errors - failures)} × 4xx, ${formatCount(failures)} × 5xx`
}
