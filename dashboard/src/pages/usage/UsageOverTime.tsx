import { LineSample } from '../../components/chart/Legend.tsx'
import type { TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import { barColumn } from './bar-column.ts'
import { ChartOrTable } from './ChartOrTable.tsx'
import type { StyledSeries } from './series-style.ts'
import { ColorSample } from './TexturePattern.tsx'
import { PREVIOUS_LINE, UsageChart } from './UsageChart.tsx'
import type { UsagePeriod } from './usage-range.ts'

const CHART_HEIGHT = 280

interface OverTime {
  readonly span: UsagePeriod
  readonly series: readonly StyledSeries[]
  /** Requests in each bar of the previous period. */
  readonly previous?: readonly number[]
  /** Names the content. */
  readonly label: string
}

/** Requests over time as a chart with a legend, or as a table, the newest first, without hours and days without requests. */
export function UsageOverTime(props: OverTime) {
  const legend = props.series.map(({ color, texture, label, total }) => ({
    mark: <ColorSample color={color} texture={texture} />,
    label,
    figure: formatCount(total),
  }))
  return (
    <ChartOrTable
      legend={props.previous ? [...legend, previousEntry(props.previous)] : legend}
      chart={<UsageChart {...props} height={CHART_HEIGHT} />}
      label={props.label}
      columns={columnsOf(props)}
      rows={rowsOf(props)}
      rowKey={({ startMs }) => String(startMs)}
    />
  )
}

function previousEntry(counts: readonly number[]) {
  const total = counts.reduce((sum, n) => sum + n, 0)
  return { mark: <LineSample {...PREVIOUS_LINE} />, label: 'Previous period', figure: formatCount(total) }
}

interface Row {
  readonly startMs: number
  readonly counts: readonly number[]
  readonly total: number
  /** In the previous period. */
  readonly previous: number | undefined
}

function columnsOf({ span, series, previous }: OverTime): TableColumn<Row>[] {
  return [
    barColumn(span),
    ...series.map((one, n) => ({
      key: one.id,
      header: one.label,
      align: 'end' as const,
      render: (row: Row) => formatCount(row.counts[n]),
    })),
    { key: 'total', header: 'Total', align: 'end', render: (row) => <b>{formatCount(row.total)}</b> },
    ...(previous
      ? [
          {
            key: 'previous',
            header: 'Previous period',
            align: 'end' as const,
            render: (row: Row) => formatCount(row.previous ?? 0),
          },
        ]
      : []),
  ]
}

function rowsOf({ span, series, previous }: OverTime): Row[] {
  return span.starts
    .map((startMs, bar) => {
      const counts = series.map((one) => one.counts[bar])
      return { startMs, counts, total: counts.reduce((sum, n) => sum + n, 0), previous: previous?.[bar] }
    })
    .filter((row) => row.total > 0 || (row.previous ?? 0) > 0)
    .reverse()
}
