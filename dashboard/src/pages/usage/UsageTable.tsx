import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { formatCount } from './figures.ts'
import type { PaintedSeries } from './paint.ts'
import palette from './palette.module.css'
import { barWords } from './span-words.ts'
import type { UsageSpan } from './usage-span.ts'

interface Row {
  readonly startMs: number
  readonly counts: readonly number[]
  readonly total: number
}

/** The numbers of a chart, the newest first; hours and days without requests are left out. */
export function UsageTable(props: { span: UsageSpan; series: readonly PaintedSeries[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={palette.scroller} tabIndex={0} aria-label={`${props.label}, in numbers`}>
      <DataTable
        caption={props.label}
        columns={columnsOf(props.span, props.series)}
        rows={rowsOf(props.span, props.series)}
        rowKey={(row) => String(row.startMs)}
        dense
      />
    </section>
  )
}

function columnsOf(span: UsageSpan, series: readonly PaintedSeries[]): Column<Row>[] {
  return [
    {
      key: 'time',
      header: span.step === 'day' ? 'Day' : 'Hour',
      isRowHeader: true,
      render: (row) => barWords(span, row.startMs),
    },
    ...series.map((one, n) => ({
      key: one.id,
      header: one.label,
      align: 'end' as const,
      render: (row: Row) => formatCount(row.counts[n]),
    })),
    { key: 'total', header: 'Total', align: 'end', render: (row) => <b>{formatCount(row.total)}</b> },
  ]
}

function rowsOf(span: UsageSpan, series: readonly PaintedSeries[]): Row[] {
  return span.starts
    .map((startMs, bar) => {
      const counts = series.map((one) => one.counts[bar])
      return { startMs, counts, total: counts.reduce((sum, n) => sum + n, 0) }
    })
    .filter((row) => row.total > 0)
    .reverse()
}
