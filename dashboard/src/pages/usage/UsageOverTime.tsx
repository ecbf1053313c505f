import { Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { Legend, LineSample } from '../../components/chart/Legend.tsx'
import { DataTable, type TableColumn } from '../../components/DataTable.tsx'
import { formatCount } from '../../components/format.ts'
import palette from './palette.module.css'
import type { StyledSeries } from './series-style.ts'
import { ColorSample } from './TexturePattern.tsx'
import { PREVIOUS_LINE, UsageChart } from './UsageChart.tsx'
import type { UsagePeriod } from './usage-range.ts'
import { barLabel } from './usage-range.ts'

const CHART_HEIGHT = 280

interface OverTime {
  readonly span: UsagePeriod
  readonly series: readonly StyledSeries[]
  /** Requests in each bar of the previous period. */
  readonly previous?: readonly number[]
  /** Names the content. */
  readonly label: string
}

/** Requests over time as a chart with a legend, or as a table. */
export function UsageOverTime(props: OverTime) {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className={palette.palette}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Legend
          entries={[
            ...props.series.map(({ color, texture, label, total }) => ({
              mark: <ColorSample color={color} texture={texture} />,
              label,
              figure: formatCount(total),
            })),
            ...(props.previous ? [previousEntry(props.previous)] : []),
          ]}
        />
        <Switch
          size="sm"
          label="Show as table"
          checked={asTable}
          onChange={(event) => setAsTable(event.currentTarget.checked)}
        />
      </Group>
      {asTable ? <UsageTable {...props} /> : <UsageChart {...props} height={CHART_HEIGHT} />}
    </div>
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

/** The numbers of a chart, the newest first; leaves out hours and days without requests. */
function UsageTable(props: OverTime) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
    <section className={palette.scroller} tabIndex={0} aria-label={`${props.label}, as a table`}>
      <DataTable
        caption={props.label}
        columns={columnsOf(props)}
        rows={rowsOf(props)}
        rowKey={(row) => String(row.startMs)}
        dense
      />
    </section>
  )
}

function columnsOf({ span, series, previous }: OverTime): TableColumn<Row>[] {
  return [
    {
      key: 'time',
      header: span.step === 'day' ? 'Day' : 'Hour',
      isTime: true,
      isRowHeader: true,
      render: (row) => barLabel(span, row.startMs),
    },
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
