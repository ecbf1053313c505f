import { useId } from 'react'
import { Chart } from '../../components/chart/Chart.tsx'
import { LineSample } from '../../components/chart/Legend.tsx'
import { Lines, StackedBars, TooltipRows } from '../../components/chart/marks.tsx'
import { formatCompact, formatCount } from '../../components/format.ts'
import type { StyledSeries } from './series-style.ts'
import { ColorSample, TexturePattern } from './TexturePattern.tsx'
import type { UsagePeriod } from './usage-range.ts'
import { barLabel, tickLabel } from './usage-range.ts'

/** The line of the previous period. */
export const PREVIOUS_LINE = { color: 'var(--mantine-color-text)', dashes: '5 4' }

interface Charted {
  readonly span: UsagePeriod
  readonly series: readonly StyledSeries[]
  /** Requests in each bar of the previous period. */
  readonly previous?: readonly number[]
}

/** Requests as stacked bars, the first series at the bottom, and those of the previous period as a line. */
export function UsageChart(props: Charted & { label: string; height: number }) {
  const { span, series, previous = [] } = props
  const id = useId()
  return (
    <Chart
      height={props.height}
      label={props.label}
      count={span.starts.length}
      bands
      values={[
        ...span.starts.map((_, bar) => series.reduce((total, { counts }) => total + counts[bar], 0)),
        ...previous,
      ]}
      isWhole
      formatValue={formatCompact}
      axisWidth={46}
      pointLabel={(bar) => tickLabel(span, span.starts[bar])}
      tooltip={(bar) => <BarTooltip {...props} bar={bar} />}
    >
      {(plot) => (
        <>
          <defs>
            {series.map((one) => (
              <TexturePattern key={one.id} id={`${id}${one.id}`} color={one.color} texture={one.texture} />
            ))}
          </defs>
          <StackedBars
            series={series.map((one) => ({ fill: `url(#${id}${one.id})`, values: one.counts }))}
            plot={plot}
            gap={0.16}
            maxWidth={44}
          />
          {previous.length > 0 && <Lines lines={[{ ...PREVIOUS_LINE, values: previous }]} plot={plot} />}
        </>
      )}
    </Chart>
  )
}

/** The numbers of a bar, the top of the stack first. */
function BarTooltip({ span, series, previous, bar }: Charted & { bar: number }) {
  const present = series.filter((one) => one.counts[bar] > 0).reverse()
  const title = barLabel(span, span.starts[bar])
  const rows = present.map(({ color, texture, label, counts }) => ({
    mark: <ColorSample color={color} texture={texture} />,
    label,
    value: formatCount(counts[bar]),
  }))
  const earlier = { mark: <LineSample {...PREVIOUS_LINE} />, label: 'Previous period' }
  const all = previous ? [...rows, { ...earlier, value: formatCount(previous[bar]) }] : rows
  return <TooltipRows title={title} rows={all} empty="No requests" />
}
