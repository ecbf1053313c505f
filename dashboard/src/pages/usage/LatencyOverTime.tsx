import type { UsageView } from '../../../../src/shared/contract/usage.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { LineSample } from '../../components/chart/Legend.tsx'
import { Lines, TooltipRows } from '../../components/chart/marks.tsx'
import type { TableColumn } from '../../components/DataTable.tsx'
import { formatCount, formatLatency } from '../../components/format.ts'
import { barColumn } from './bar-column.ts'
import { ChartOrTable } from './ChartOrTable.tsx'
import { type Percentiles, percentilesOf, percentilesPerBar } from './latency-series.ts'
import { barLabel, tickLabel, type UsagePeriod } from './usage-range.ts'

const CHART_HEIGHT = 220

/** The lines, the slowest first. */
const LINES = [
  { of: 'p99Ms', label: '99th percentile (p99)', color: 'var(--bar-4)', dashes: '2 4' },
  { of: 'p95Ms', label: '95th percentile (p95)', color: 'var(--bar-3)', dashes: '6 4' },
  { of: 'p50Ms', label: 'Median (p50)', color: 'var(--bar-1)', dashes: undefined },
] as const

interface OverTime {
  readonly span: UsagePeriod
  readonly latencies: UsageView['latencies']
  /** Names the content. */
  readonly label: string
}

/** Percentiles of the latency over time as lines, or as a table, the newest first. */
export function LatencyOverTime({ span, latencies, label }: OverTime) {
  const bars = percentilesPerBar(latencies, span)
  const whole = percentilesOf(latencies)
  return (
    <ChartOrTable
      legend={LINES.map(({ of, label, ...line }) => ({
        mark: <LineSample {...line} />,
        label,
        ...(whole && { figure: formatLatency(whole[of]) }),
      }))}
      chart={<LatencyChart span={span} bars={bars} label={label} />}
      label={label}
      columns={columnsOf(span)}
      rows={rowsOf(span, bars)}
      rowKey={({ startMs }) => String(startMs)}
    />
  )
}

type Bars = readonly (Percentiles | undefined)[]

function LatencyChart({ span, bars, label }: { span: UsagePeriod; bars: Bars; label: string }) {
  const lines = LINES.map(({ of, ...line }) => ({ ...line, values: bars.map((bar) => bar?.[of] ?? null) }))
  return (
    <Chart
      height={CHART_HEIGHT}
      label={label}
      count={bars.length}
      bands
      values={lines.flatMap(({ values }) => values.filter((value) => value !== null))}
      formatValue={formatLatency}
      axisWidth={64}
      pointLabel={(bar) => tickLabel(span, span.starts[bar])}
      tooltip={(bar) => <BarTooltip title={barLabel(span, span.starts[bar])} bar={bars[bar]} />}
    >
      {(plot) => <Lines lines={lines} plot={plot} />}
    </Chart>
  )
}

function BarTooltip({ title, bar }: { title: string; bar: Percentiles | undefined }) {
  const rows = LINES.flatMap(({ of, label, ...line }) =>
    bar ? [{ mark: <LineSample {...line} />, label, value: formatLatency(bar[of]) }] : [],
  )
  return <TooltipRows title={title} rows={rows} empty="No requests" />
}

type Row = Percentiles & { readonly startMs: number }

function columnsOf(span: UsagePeriod): TableColumn<Row>[] {
  return [
    barColumn(span),
    { key: 'requests', header: 'Requests', align: 'end', render: (row) => formatCount(row.requests) },
    ...LINES.toReversed().map(({ of, label }) => ({
      key: of,
      header: label,
      align: 'end' as const,
      render: (row: Row) => formatLatency(row[of]),
    })),
  ]
}

function rowsOf(span: UsagePeriod, bars: Bars): Row[] {
  return bars.flatMap((bar, at) => (bar ? [{ startMs: span.starts[at], ...bar }] : [])).reverse()
}
